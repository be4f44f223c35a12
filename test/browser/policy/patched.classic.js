/* What old libraries do to a page before anybody else arrives. Nothing of it is ours to trip over. */
/* global fetch, window, EventTarget */
Object.prototype.extra = 'of everyone';
Object.prototype.status = 'borrowed';
Array.prototype.extra = function () {};
Array.prototype.toJSON = function () {
  return 'Prototype.js was here';
};
String.prototype.toJSON = function () {
  return 'Prototype.js was here';
};
const ask = fetch;
window.fetch = function (...args) {
  return ask.apply(window, args).then((response) => response);
};
const listen = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, listener, options) {
  return listen.call(this, type, listener, options);
};
EventTarget.prototype.addEventListener.patched = true;
