/** A page a test moves by its events. */
export class FakePage {
  readonly document = Object.assign(new EventTarget(), {visibilityState: 'visible'});
  readonly window = new EventTarget();
  readonly navigator = {onLine: true};

  see(visibilityState: 'visible' | 'hidden') {
    this.document.visibilityState = visibilityState;
    this.document.dispatchEvent(new Event('visibilitychange'));
  }

  hide() {
    this.window.dispatchEvent(new Event('pagehide'));
  }
}
