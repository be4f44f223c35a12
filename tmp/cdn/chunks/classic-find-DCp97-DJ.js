import*as hermesPart0 from"./classic-actions-LbbXKdt8.js";import*as hermesPart1 from"./classic-diff-blocks-BRT1EHyD.js";import*as hermesPart2 from"./classic-words-C16sO0x4.js";export default(parts,hermesPart)=>(({Q:s,d:n,A:i,T:o,i:r,g:a,U:l,p:h,a:c},{m:t,a:e},{g:u,t:d,d:f,T:p,p:m,j:g,b:w},{b,c:v})=>{
                                                                                                                                                                                                                                                                                                                  const x='\0';function y(t){if(!C.test(t))return{text:t.toLowerCase().replace(/\s/g,' '),at:t=>t};const e=[];let s='',n=0;for(const i of t){const t=O(i);for(let s=0;s<t.length;s++)e.push(n);s+=t,n+=i.length}return e.push(n),{text:s,at:t=>e[t]}}function*S(t,e){if(e!=='')for(let s=t.indexOf(e);s>=0;s=t.indexOf(e,s+e.length))yield s}function k(t,e){let s=0;for(const n of S(t,e))s++;return s}const C=/[^\0-\x7f]/,E=/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u00ad\u200b-\u200f\u2060\ufeff]/g,T=new Map;function O(t){let e=T.get(t);return e===void 0&&(e=/\s/.test(t)?' ':t.normalize('NFD').replace(E,'').normalize('NFC').toLowerCase(),T.set(t,e)),e}class M{#t;#e=new WeakMap;constructor(t){this.#t=t}in(t,{part:e}){let s=this.#e.get(t);s||this.#e.set(t,s=new Map);let n=s.get(e);return n||s.set(e,n=((t,e)=>{switch(e){case'text':return t.matches('.artifacts')?[...t.querySelectorAll('.line')]:[t];case'label':return[...t.querySelectorAll(':scope > button > .line')];default:{const s=t.querySelector(`[data-section="${CSS.escape(e)}"]`),n=e==='output'?t.querySelector(':scope > .short'):null;return[s??n].filter(t=>t!==null)}}})(t,e).flatMap(t=>((t,e)=>{const{nodes:s,starts:n,text:i}=(t=>{const e=document.createTreeWalker(t,NodeFilter.SHOW_ELEMENT|NodeFilter.SHOW_TEXT,t=>t instanceof Text?NodeFilter.FILTER_ACCEPT:t.matches('button, .unseen, svg, .head, figcaption, .back, .sign, .beside')?NodeFilter.FILTER_REJECT:NodeFilter.FILTER_SKIP),s=[],n=[],i=[];let o=0,r=null;for(let t=e.nextNode();t;t=e.nextNode()){const e=t.parentElement.closest('pre, p, li, h1, h2, h3, h4, h5, h6, td, th, blockquote, div, dd, dt, summary, caption, .more');s.length>0&&e!==r&&(o+=i.push(x)&&1),r=e,s.push(t),n.push(o),i.push(t.data),o+=t.length}return{nodes:s,starts:n,text:i.join('')}})(t),o=y(i);let r=0;const a=t=>{for(;r+1<s.length&&n[r+1]<=t;)r++;return[s[r],t-n[r]]};return[...S(o.text,e)].map(t=>{const[s,n]=a(o.at(t)),[i,r]=a(o.at(t+e.length)-1);return new StaticRange({startContainer:s,startOffset:n,endContainer:i,endOffset:r+1})})})(t,this.#t))),n}again(t,e){return this.forget(t),this.in(t,e)}forget(t){const e=(t instanceof Element?t:t.parentElement)?.closest('[data-item-id]');e&&this.#e.delete(e)}}class ${#s;#n;#i=new ResizeObserver(()=>this.#o());constructor(t,e){this.#s=t,this.#n=e;const i=new DocumentFragment;s(n`<div
class="find"
part="find"
role="search"
popover="manual"
tabindex="-1"
@keydown=${t=>this.#r(t)}
></div>`,i),this.element=i.querySelector('div')}get field(){return this.element.querySelector('input')}open(t){t.append(this.element),this.element.showPopover?.(),this.#i.observe(this.#s),this.#i.observe(this.element),addEventListener('scroll',this.#o,{capture:!0,passive:!0}),addEventListener('resize',this.#o),this.#o()}leaveField(){this.element.focus({preventScroll:!0})}close(){this.#i.disconnect(),removeEventListener('scroll',this.#o,{capture:!0}),removeEventListener('resize',this.#o),this.element.remove()}draw({at:t,count:e,isEmpty:r},a){const l=this.#n,h=(t,e,s,i=!1)=>n`<button type="button" aria-label=${t} title=${t} ?disabled=${i} @click=${s}>
${o(e)}
</button>`;this.element.ariaLabel=a.label,s(n`<div>
<input
type="text"
inputmode="search"
enterkeyhint="search"
autocomplete="off"
spellcheck="false"
dir="auto"
aria-label=${a.field}
placeholder=${a.field}
@input=${t=>l.typed(t.currentTarget.value)}
/>
<span role="status">${r?i:e===0?a.none:a.count(t,e)}</span>
${h(a.previous,'up',()=>l.step(-1),e===0)}${h(a.next,'down',()=>l.step(1),e===0)}${h(a.close,'error',()=>l.close())}
</div>`,this.element)}#o=()=>{const{element:t}=this,e=this.#s.getBoundingClientRect(),{clientWidth:s,clientHeight:n}=document.documentElement;t.style.maxInlineSize=Math.min(this.#s.clientWidth,s)-16+'px';const{width:i,height:o}=t.getBoundingClientRect(),r=getComputedStyle(this.#s).direction==='rtl',a=e.left+this.#s.clientLeft+this.#s.clientWidth,l=r?e.left+8:a-i-8;t.style.left=`${z(l,8,s-i-8)}px`,t.style.top=`${z(e.top+8,8,n-o-8)}px`};#r(t){const{key:e,shiftKey:s,altKey:n,ctrlKey:i,metaKey:o,isComposing:r}=t;if(!(n||i||o||r)){if(e==='Escape')this.#n.close();else{if(e!=='Enter'||t.target!==this.field&&t.target!==this.element)return void(t.target===this.element&&e.length===1&&this.field.focus({preventScroll:!0}));this.#n.step(s?-1:1)}t.preventDefault(),t.stopPropagation()}}}function z(t,e,s){return Math.max(e,Math.min(t,s))}const R=r`
.find {
position: fixed;
inset: auto;
margin: 0;
padding: 0.3em;
box-sizing: border-box;
inline-size: 24em;
overflow: visible;
z-index: 2;
font-size: 0.875em;
line-height: 1.5;
color: var(--hermes-color-text, CanvasText);
background: var(--hermes-color-ground, Canvas);
border: var(--_border) solid var(--_line);
border-radius: calc(var(--_radius) / 1.5);
box-shadow: 0 4px 16px #0003;
}
.find:focus {
outline: none;
}
.find > div {
display: flex;
align-items: center;
gap: 0.15em;
}
.find input {
flex: 1 1 4em;
min-inline-size: 0;
margin: 0;
padding: 0.25em 0.5em;
font: inherit;
color: inherit;
background: none;
border: 0;
border-radius: 0.4em;
}
.find input::placeholder {
color: var(--_muted);
opacity: 1;
}
.find input:focus-visible {
outline: 2px solid var(--hermes-color-focus, var(--_accent));
outline-offset: -1px;
}
.find [role='status'] {
flex: none;
padding-inline: 0.5em;
color: var(--_muted);
font-variant-numeric: tabular-nums;
white-space: nowrap;
}
.find button {
flex: none;
display: grid;
place-items: center;
margin: 0;
padding: 0;
inline-size: 2em;
block-size: 2em;
color: var(--_muted);
}
.find .icon {
stroke: currentColor;
}
.find button:hover:enabled {
color: inherit;
}
.find button:disabled {
opacity: 0.4;
cursor: default;
}
@media (pointer: coarse) {
.find button {
inline-size: 2.75em;
block-size: 2.75em;
}
}
::highlight(hermes-find) {
background-color: #ffd54a80;
}
::highlight(hermes-find-current) {
background-color: #ff9f2e;
color: #000;
}
@media (forced-colors: active) {
::highlight(hermes-find) {
background-color: Mark;
color: MarkText;
}
::highlight(hermes-find-current) {
background-color: Highlight;
color: HighlightText;
}
.find button {
border: 1px solid;
}
}
@media print {
.find {
display: none;
}
}
`;function q(t){const{parentNode:e}=t;return e instanceof ShadowRoot?e.host:t.assignedSlot??(e instanceof Element?e:null)}function j(t){if(t===document.scrollingElement)return!0;const{overflowX:e,overflowY:s}=getComputedStyle(t);return/auto|scroll/.test(e+s)}function F(t,e){const s=t.getClientRects()[0]??t.startContainer.parentElement.getBoundingClientRect(),n=(t=>{const{clientWidth:e,clientHeight:s}=t;if(t===document.scrollingElement)return{left:0,top:0,width:e,height:s};const{left:n,top:i}=t.getBoundingClientRect();return{left:n+t.clientLeft,top:i+t.clientTop,width:e,height:s}})(e),i=Math.min(56,n.height/4);(s.top<n.top+i||s.bottom>n.top+n.height-i)&&(e.scrollTop+=s.top+s.height/2-n.top-n.height/2),(s.left<n.left||s.right>n.left+n.width)&&(e.scrollLeft+=s.left+s.width/2-n.left-n.width/2)}const L='hermes-find-current';class _{#a=[];#l=[];show(t,e,s){if(!N())return void(s&&e&&(({startContainer:t,startOffset:e,endContainer:s,endOffset:n})=>{getSelection()?.setBaseAndExtent(t,e,s,n)})(e));const n=e?t.filter(t=>t!==e):t;W('hermes-find',this.#a,n),W(L,this.#l,e?[e]:[]),this.#a=n,this.#l=e?[e]:[]}clear(){this.show([],null,!1)}}function N(){return CSS.highlights!==void 0}function W(t,e,s){let n=CSS.highlights.get(t);for(const t of e)n?.delete(t);s.length>0&&!n&&(n=new Highlight,n.priority=t===L?1:0,CSS.highlights.set(t,n));for(const t of s)n.add(t);n?.size===0&&CSS.highlights.delete(t)}function A(e){return(e=>{switch(e.type){case'prompt':return B(e.text,...e.parts.flatMap(({type:t,text:e,uri:s})=>t==='text'?[]:[e??s]));case'prose':case'reasoning':case'answer':{const{findEntity:s,parseMarkdown:n}=t();return B(P(n(e.text.toString(),{entities:s})))}case'lifecycle':case'notice':return B(e.text.toString());case'control':return B(e.control.detail,e.text.toString());case'tool':return(t=>[['label',[t.name||t.title,l(t)].join(x)],...u(t).map(t=>[t.name,H(t)]),['output',U(t)]])(e.tool);case'plan':return B(...e.entries.map(({content:t})=>t));case'artifacts':return B(...e.artifacts.map(({path:t})=>t));case'side-effects':return B(...e.effects.flatMap(({kind:t,action:e,name:s})=>[`${t}: ${e}`,s]));case'terminal':return B(e.error?.message);default:return[]}})(e).filter(([,t])=>t).map(([t,s])=>({row:e.id,part:t,folded:y(s).text}))}function B(...t){return[['text',t.filter(Boolean).join(x)]]}const I=/^(?:p|h\d|blockquote|[uo]l|li|hr|table|t[rhd]|notes?)$/;function P(e){return e.map(e=>{if(typeof e=='string')return e;const{tag:s,attributes:n,children:i}=e;if(s==='pre')return x+t().textOf(i)+x;if(s==='note-reference')return String(n.number??'');const o=P(i);return I.test(s)?x+o+x:o}).join('')}function H(t){switch(t.kind){case'diff':return D(f(t.text));case'texts':return D(d(t.before,t.text));default:return t.text}}function D(t){return t.flatMap(K).join(x)}function K(t){switch(t.type){case'file':return[t.after??t.before??''];case'same':return t.lines.map(({text:t})=>t);case'change':return[...t.removed,...t.added].map(({text:t})=>t);default:return[t.text]}}function U({content:t,output:e}){const s=t?b(t,e):v(e);if(s)return s.map(X).join(x);if(/\x1b/.test(e)){const t=new p;return t.write(e),m(t)}const n=/^\s*[[{]/.test(e)?g(e):null;return n?n.map(w).join('\n'):e}function X(t){switch(t.type){case'text':return t.text;case'link':return[t.name,t.uri,t.text].filter(Boolean).join(x);case'image':return'';case'other':return t.name??''}}class J{#h=new Map;#c=new WeakMap;#e=new WeakMap;of(t,e){const[s,n]=this.#c.get(t)??[];if(s===e&&n)return n;const i=this.#h.get(t.id),o=h(t,e,i?.mode===e?i:void 0);this.#h.set(t.id,o);const r=o.rows.flatMap(t=>this.#u(t));return this.#c.set(t,[e,r]),r}#u(t){let e=this.#e.get(t);return e||this.#e.set(t,e=A(t)),e}}function Q({textContent:t}){return/^ */.exec(t)[0].length}function V(){return new Promise(t=>setTimeout(t))}async function Y(t,e){let s=G.get(t);return s||G.set(t,s=new Z(t)),s.open(e)}const G=new WeakMap;class Z{#d;#f;#p=new _;#m=new J;#g=new M('');#w=!1;#t='';#b=[];#v=0;#x=null;#y=!1;#S=0;#k=null;#C=0;#E;#T=null;#O=null;#M;#$=new MutationObserver(t=>{for(const{target:e}of t)this.#g.forget(e);this.#z()});constructor(t){this.#d=t,this.#f=new $(t,{typed:t=>{this.#R(t)},step:t=>{this.#q(t)},close:()=>this.#j(!0)}),t.addController(this)}async open(t){const{isConnected:e,renderRoot:s}=this.#d;if(!e)return 0;const n=s;this.#w||this.#F(n);const{field:i}=this.#f;return t!==void 0&&(i.value=t),i.focus({preventScroll:!0}),i.select(),t===void 0?await this.#R(i.value):(await this.#L(t),this.#x&&await this.#_()),this.#v}hostUpdated(){this.#w&&this.#N()}hostDisconnected(){this.#j(!1)}#F(t){this.#w=!0,this.#T=t.activeElement??document.activeElement;const e=R.styleSheet;t.adoptedStyleSheets.includes(e)||(t.adoptedStyleSheets=[...t.adoptedStyleSheets,e]),this.#W(),this.#f.open(t);const s=t.querySelector('.turns');this.#$.observe(s,{childList:!0,characterData:!0,subtree:!0,attributeFilter:['hidden']}),this.#N()}#j(t){if(!this.#w)return;this.#w=!1,this.#S++,this.#C++,clearTimeout(this.#E),this.#E=void 0,this.#$.disconnect(),this.#M?.(),this.#M=void 0,this.#O=null,this.#f.close(),this.#p.clear(),this.#m=new J,this.#g=new M(''),this.#t='',this.#b=[],this.#v=0,this.#x=null,this.#y=!1;const e=this.#T;this.#T=null,t&&(e?.isConnected&&e!==document.body?e:this.#d).focus({preventScroll:!0})}#N(){const{shown:t}=this.#d;this.#z(),t!==this.#O&&(this.#O=t,this.#M?.(),this.#M=t?.subscribe(()=>this.#z()))}#z(){this.#E??=setTimeout(()=>{this.#E=void 0,this.#k?this.#k.then(()=>this.#z()):this.#L(this.#f.field.value)},200)}async#R(t){await this.#L(t),this.#x&&!this.#y&&this.#A(this.#x)&&await this.#_(!1)}#A({hit:t,nth:e}){const s=this.#B(t),n=s?.hidden===!1?this.#g.in(s,t)[e]:void 0;return(n?.startContainer.parentElement?.getClientRects().length??0)>0}#L(t){const e=y(t).text;e!==this.#t&&(this.#t=e,this.#g=new M(e),this.#x=null,this.#y=!1);const s=this.#I().finally(()=>{this.#k===s&&(this.#k=null)});return this.#k=s}async#I(){const t=++this.#S,e=this.#c,s=[];let n=performance.now()+12;for(const i of this.#t===''?[]:e){for(const{row:t,part:e,folded:n}of this.#m.of(i,this.#P)){const o=k(n,this.#t);o>0&&s.push({turn:i,row:t,part:e,count:o})}if(!(performance.now()<n)){if(await nt(),t!==this.#S)return;n=performance.now()+12}}this.#b=s,this.#v=s.reduce((t,{count:e})=>t+e,0),this.#x=this.#H(this.#x)??this.#D(),this.#W(),this.#K()}get#c(){return this.#d.shown?.transcript.turns??[]}get#P(){return c(this.#d.mode)}#H(t){if(!t)return null;const{turn:e,row:s,part:n}=t.hit,i=this.#b.find(t=>t.row===s&&t.part===n&&et(t.turn,e));return i?{hit:i,nth:Math.min(t.nth,i.count-1)}:null}#D(){const t=Math.max(0,this.#d.getBoundingClientRect().top),e=this.#U.findIndex(e=>e.getBoundingClientRect().bottom>t),s=new Set(this.#c.slice(0,Math.max(0,e))),n=this.#b.find(({turn:t})=>!s.has(t))??this.#b[0];return n?{hit:n,nth:0}:null}async#q(t){this.#k&&await this.#k;const{hit:e,nth:s}=this.#x??{};if(e&&s!==void 0){if(this.#y){const n=this.#b.indexOf(e);if(e.count>s+t&&s+t>=0)this.#x={hit:e,nth:s+t};else{const e=this.#b.at((n+t)%this.#b.length);this.#x={hit:e,nth:t>0?0:e.count-1}}}await this.#_()}}async#_(t=!0){const e=++this.#C,{hit:s,nth:n}=this.#x,i=this.#X(s.turn);i&&(this.#y=!0,this.#W(),i.reader?.hold(),t&&await(async(t,{row:e,part:s},n)=>{const i=s!=='text'&&s!=='label';i&&await import('./classic-tool-body-DUJFECzf.js').then(hermesPart).catch(()=>null),t.unfold(e),t.draw();const o=t.querySelector(`[data-item-id="${CSS.escape(e)}"]`);if(!o)return;if(s!=='label'&&o.querySelector(':scope > button[aria-expanded=false]')?.click(),t.draw(),!i)return;const r=()=>o.querySelector(`[data-section="${CSS.escape(s)}"]`);for(let t=0;!r()&&t<10;t++)await V();const a=r();if(!a)return;n(o)||await(async(t,e)=>{for(const e of t.querySelectorAll('.unchanged, .more-text, .more-lines:not([hidden])'))e.click();let s=-1;for(let n=0;!e()&&n<10;n++){const{length:e}=t.textContent;e!==s&&(n=0),s=e,await V()}})(a,()=>n(o)!==void 0);const l=n(o)?.startContainer.parentElement?.closest('.json-line');l&&(t=>{const e=[];let s=Q(t);for(let n=t.previousElementSibling;n;n=n.previousElementSibling)Q(n)>=s||(s=Q(n),e.push(n));for(const t of e.reverse())t.hasAttribute('data-folded')&&t.querySelector('button.fold')?.click()})(l)})(i,s,t=>this.#g.again(t,s)[n]),e===this.#C&&this.#w&&(t&&i.matches(':focus-within')&&this.#f.field.focus({preventScroll:!0}),this.#J(),await new Promise(t=>requestAnimationFrame(()=>t())),e===this.#C&&this.#w&&this.#J()))}#J(){N()||this.#f.leaveField();const t=this.#K(!0),e=this.#x&&this.#B(this.#x.hit);t?(t=>{const e=a(t);for(let s=q(t.startContainer);s;s=q(s))j(s)&&F(e,s)})(t):e?.scrollIntoView({block:'nearest'})}#W(){const t={...e.find,...this.#d.strings?.actions?.find};this.#f.draw({at:this.#Q,count:this.#v,isEmpty:this.#t===''},t)}get#Q(){const{hit:t,nth:e}=this.#x??{};if(!t)return 0;let s=e+1;for(const e of this.#b){if(e===t)return s;s+=e.count}return 0}#K(t=!1){const e=this.#x?this.#b.indexOf(this.#x.hit):0,s=this.#U,n=new Map(this.#c.map((t,e)=>[t,s[e]])),i=[];let o=null;for(let t=0;t<this.#b.length&&i.length<tt;t++)for(const s of t===0?[this.#b[e]]:[this.#b[e-t],this.#b[e+t]]){const t=s&&n.get(s.turn),e=t&&st(t,s.row);if(!s||!e||e.hidden!==!1)continue;const r=this.#g.in(e,s);for(const t of r)i.push(t);s===this.#x?.hit&&(o=r[Math.min(this.#x.nth,r.length-1)]??null)}return this.#p.show(i,o,t),o}get#U(){return[...this.#d.renderRoot.querySelectorAll('[part=turn]')]}#X(t){const e=this.#c.findIndex(e=>et(e,t));return this.#U[e]}#B({turn:t,row:e}){const s=this.#X(t);return s?st(s,e):null}}const tt=2e3;function et({id:t,aliases:e},s){return t===s.id||e.includes(s.id)}function st(t,e){return t.querySelector(`[data-item-id="${CSS.escape(e)}"]`)}function nt(){return new Promise(t=>setTimeout(t))}return{find:Y}})(parts,hermesPart(hermesPart0),hermesPart(hermesPart1),hermesPart(hermesPart2));
//# sourceMappingURL=classic-find-DCp97-DJ.js.map
