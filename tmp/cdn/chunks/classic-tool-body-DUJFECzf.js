import*as hermesPart0 from"./classic-diff-blocks-BRT1EHyD.js";import*as hermesPart1 from"./classic-words-C16sO0x4.js";export default(parts,hermesPart)=>(({M:e,j:t,s:n,l:o,i,k:r,m:s,E:a,f:l,n:d},{T:c,P:h,p:u,a:m,d:p,t:f,w:g,j:b,g:x},{b:w,c:v,e:y})=>{
                                                                                                                                                                                                                                                                                     const k=/([\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;function _(n,o,i=!1){for(const[r,s]of o.split(i?e:k).entries()){if(r%2==0){s&&n.appendChild(new Text(s));continue}const e=C('span','mark',s);e.setAttribute('part','code-point'),e.dataset.code=t(s),n.appendChild(e)}}function C(e,t='',n=''){const o=document.createElement(e);return t&&(o.className=t),n&&(o.textContent=n),o}function z(e,t,n){const o=C('button',e,t);return o.type='button',o.addEventListener('click',n),o}function S(e,t){const n=C('pre',e);return n.dir='ltr',n.tabIndex=0,n.setAttribute('role','group'),n.ariaLabel=t,n}class j{#e;#t;#n;#o;#i;#r=0;#s=!1;#a=!1;constructor(e,t,n,{first:o=300,after:i,done:r}={}){this.#e=e,this.#t=t,this.#n=n,this.#i=o,this.#o=z('more-lines','',()=>this.#l()),this.#d=i??null,this.#c=r,e.after(this.#o),this.update()}#d;#c;get isDone(){return this.#r===this.#t.length}update(){this.#a||this.#h(this.#s?this.#r+300:this.#i),this.#s&&!this.isDone&&this.#u()}#h(e){const t=Math.min(e,this.#t.length);t>this.#r&&this.#e.insertBefore(this.#t.draw(this.#r,t),this.#d),this.#r=Math.max(this.#r,t),this.isDone&&this.#c?.(),this.#o.hidden=this.isDone||this.#s,this.#o.hidden||(this.#o.textContent=this.#n(this.#t.lines))}#l(){this.#s=!0,this.#e.focus({preventScroll:!0}),this.update()}#u(){this.#a||(this.#a=!0,setTimeout(()=>{this.#a=!1;const e=performance.now()+8;do{this.#h(this.#r+300)}while(!this.isDone&&performance.now()<e);this.isDone||this.#u()}))}}const T=(e,t,n)=>new A(e,t,n);class A{#e;#m;#p;#f=C('span','tail');#g;#b;#x=[];#w=0;#v=[];#y;constructor(e,{kind:t,title:n,text:o,grows:i},r){this.#y=!i,this.#e=S(`of-${t}`,n),this.#p=t==='command',this.#m=t==='terminal'?new c:new h,this.#b=o,e.append(this.#e),this.#e.append(this.#f),this.#m.write(o),this.#k(),this.#g=new j(this.#e,this.#t,r.showAll,{after:this.#f,done:()=>this.#_()}),this.#_()}copied(){return this.#m instanceof c?u(this.#m):this.#b}update({text:e,grows:t}){if(this.#y||!e.startsWith(this.#b))return!1;const n=this.#e.scrollTop>0&&this.#e.scrollHeight-this.#e.scrollTop-this.#e.clientHeight<2;return this.#m.write(e.slice(this.#b.length)),this.#b=e,this.#y=!t&&L(this.#m.tail).length>25,this.#k(),this.#g?.update(),this.#_(),n&&(this.#e.scrollTop=this.#e.scrollHeight),!0}#k(){const{lines:e,tail:t}=this.#m;for(;this.#w<e.length;this.#w++)this.#C(e[this.#w],!0);this.#y&&this.#C(t,!1)}#C(e,t){const n=L(e);for(const[e,o]of n.entries())this.#x.push([o,t&&e===n.length-1])}get#t(){const e=()=>this.#x.length,t=()=>this.#m.lines.length+1;return{get length(){return e()},get lines(){return t()},draw:(e,t)=>this.#z(e,t)}}#z(e,t){const n=C('span');let o='';const i=()=>{_(n,o,this.#p),o=''};for(const[r,s]of this.#x.slice(e,t))r.every(({style:e})=>e===m)?o+=r.map(({text:e})=>e).join(''):(i(),D(n,r,this.#p)),s&&(o+='\n');return i(),n}#_(){const e=this.#g?.isDone&&!this.#y?L(this.#m.tail).slice(0,25).flat():[],t=this.#v;if(this.#v=e,((e,t)=>e.length===t.length&&e.every(({text:e,style:n},o)=>e===t[o].text&&n===t[o].style))(e,t))return;const[n]=e;e.length===1&&n.style===m&&((e,{text:t})=>{const[n]=e;return e.length<2&&(!n||n.style===m&&t.startsWith(n.text))})(t,n)?_(this.#f,n.text.slice(t[0]?.text.length??0),this.#p):(this.#f.textContent='',D(this.#f,e,this.#p))}}function D(e,t,n){for(const o of t)o.style===m?_(e,o.text,n):e.appendChild(W(o))}function L(e){const t=[[]];let n=400;for(const{text:o,style:i}of e)for(let e=0;e<o.length;){const r=Math.min(o.length,e+n);t.at(-1).push({text:o.slice(e,r),style:i}),n-=r-e,e=r,n===0&&(t.push([]),n=400)}return t}const E=['bold','dim','italic','underline','strike','inverse'];function W({text:e,style:t}){const o=t.link===null?null:n(t.link),i=o===null?C('span'):O(o);i.classList.add('styled',...E.filter(e=>t[e]));for(const e of['colour','ground'])$(i,e,t[e]);return _(i,e),i}function $(e,t,n){n!==null&&(typeof n=='number'?e.classList.add(`${t}-${n}`):(e.classList.add(`${t}-own`),e.style.setProperty(`--_${t}`,n)))}function O(e){const t=C('a');return Object.assign(t,{href:e,target:'_blank',rel:'noopener noreferrer nofollow ugc'})}class M{#e;#n;#r=[];#S;constructor(e,t,n){this.#e=e,this.#n=n,this.update(t)}update(e){this.#S=e;const t=(({content:e,text:t})=>e?w(e,t):v(t)??[])(e);let n=0;for(;n<this.#r.length&&P(this.#r[n].part,t[n]);)n++;for(const{element:e}of this.#r.splice(n))e.remove();for(const o of t.slice(n)){const t=C('div','part');this.#e.append(t),H(t,o,e,this.#n),this.#r.push({part:o,element:t})}return!0}copied(){const{content:e,text:t}=this.#S;return e?this.#r.map(({part:e})=>((e,t)=>e.type==='text'?e.text:e.type==='other'?t.notShown(e):e.type==='link'?e.uri:e.source)(e,this.#n)).join('\n'):t}}function P(e,t){const[n,o]=[e,t??{}].map(e=>Object.entries(e));return n.length===o.length&&n.every(([,e],t)=>e===o[t][1])}function H(e,t,i,r){switch(t.type){case'text':T(e,{...i,kind:'text',text:t.text},r);break;case'image':e.append(I(t.source,t.name,r));break;case'link':((e,t,i,r)=>{e.append((({uri:e,name:t,text:o})=>{const i=C('p','address'),r=n(e),s=r===null?C('span'):O(r);_(s,t??e,!0),i.append(s);for(const n of[t===null||t===e?null:e,o]){if(!n)continue;const e=C('small');_(e,n,!0),i.append(e)}return i})(t));const s=t.isImage&&i&&o()?.proseHost(i),a=s&&s.image(t.uri);if(!a)return;const l=()=>I(a.src,t.name,r);if(a.shown)return void e.append(l());const d=z('show-picture',s.words.showImage(new URL(a.src).host),()=>d.replaceWith(l()));e.append(d)})(e,t,i.prose,r);break;case'other':_(e.appendChild(C('p','no-picture')),r.notShown(t),!0)}}function I(e,t,n){const o=C('img');return o.alt=t??n.picture,o.decoding='async',o.referrerPolicy='no-referrer',o.addEventListener('error',()=>o.replaceWith(C('p','no-picture',n.noPicture)),{once:!0}),o.src=e,o}const R=(e,{text:t,before:n,title:o},i)=>{const r=n===void 0?p(t):f(n,t),s=C('div','diff');s.dir='ltr',s.tabIndex=0,s.setAttribute('role','group'),s.ariaLabel=o,e.append(s);const a=r.reduce((e,t)=>e+(e=>e.type==='same'?e.lines.length:e.type==='change'?e.removed.length+e.added.length:1)(t),0);return new j(s,{length:r.length,lines:a,draw:(e,t)=>((e,t,n,o)=>{const i=new DocumentFragment;for(let r=t;r<n;r++){const t=e[r];switch(t.type){case'file':i.append(B(t,o));break;case'hunk':case'note':i.append(N(C('div',t.type),t.text));break;case'same':q(i,t.lines,K(e[r-1]),K(e[r+1]),o);break;case'change':i.append(F(t.removed,t.added))}}return i})(r,e,t,i)},i.showAll,{first:24}),{update:()=>!1}};function K(e){return e?.type==='same'}function N(e,t){return _(e,t,!0),e}function B({before:e,after:t},n){const o=N(C('div','file'),t??e??''),i=e===null?n.created:t===null?n.deleted:e===t?'':n.renamed(e);return i&&o.append(' ',N(C('small'),i)),o}function q(e,t,n,o,i){const r=n?0:3,s=t.length-(o?0:3),a=s-r>4;for(const n of a?t.slice(0,r):t)e.appendChild(G(n,'same'));if(!a)return;const l=z('unchanged',i.unchanged(s-r),()=>{const e=t.slice(r,s).map(e=>G(e,'same')),n=l.nextElementSibling;l.replaceWith(...e),(n?.closest('.diff')??e[0].closest('.diff'))?.focus({preventScroll:!0})});l.ariaExpanded='false',e.appendChild(l);for(const n of t.slice(s))e.appendChild(G(n,'same'))}function F(e,t){const n=C('div','change'),o=e.map((e,n)=>t[n]&&g(e.text,t[n].text)),i=[C('div','side'),C('div','side')];for(const[t,n]of e.entries())i[0].append(G(n,'remove',o[t]?.[0]));for(const[e,n]of t.entries())i[1].append(G(n,'add',o[e]?.[1]));return n.style.setProperty('--_rows',String(Math.max(e.length,t.length))),n.append(...i),n}const U={same:' ',remove:'-',add:'+'};function G({text:n,before:o,after:i},r,s){const a=C('div',`diff-line ${r}`);a.dataset.before=String(o??''),a.dataset.after=String(i??''),a.append(C('span','sign',U[r]));const l=C('span','content');for(const{text:e,changed:t}of s??[{text:n,changed:!1}])t?l.append(N(C(r==='add'?'ins':'del'),e)):N(l,e);if(a.append(l),r==='same'){const o=C('span','beside');o.dataset.text=(n=>n.split(e).map((e,n)=>n%2==0?e:`⟨${t(e)}⟩`).join(''))(n),a.append(o)}return a}const J=2e3;class Q{#m;#n;#j=new Set;#T=[];#A=[];constructor(e,{title:t,text:n},o){this.#m=b(n)??[],this.#n=o;const i=this.#m.length>60;for(const[e,{kind:t,indent:n}]of this.#m.entries())i&&t==='open'&&n.length>=4&&this.#j.add(e);const r=S('json',t);r.addEventListener('keydown',e=>this.#D(e)),e.append(r);const{length:s}=this.#m;new j(r,{length:s,lines:s,draw:(e,t)=>this.#h(e,t)},o.showAll)}#h(e,t){const n=new DocumentFragment;for(let o=e;o<t;o++){const e=this.#m[o],t=C('span','json-line');t.hidden=this.#L(e),e.kind==='open'&&t.append(this.#E(o,e)),V(t,e,this.#n),e.kind==='open'&&t.append(this.#W(e)),o<this.#m.length-1&&t.append('\n'),t.toggleAttribute('data-folded',this.#j.has(o)),this.#T.push(t),n.append(t)}return n}#L({parent:e}){return e>=0&&(this.#j.has(e)||this.#T[e].hidden!==!1)}#W({end:e,size:t}){const{value:n,comma:o}=this.#m[e],i=C('span','rest');return i.dataset.rest=` ${t} … ${n}${o?',':''}`,i}#E(e,{key:t,size:n}){const o=z('fold','',()=>this.#$(e));return o.ariaExpanded=String(!this.#j.has(e)),o.ariaLabel=this.#n.fold(t??'',n),o.tabIndex=this.#A.length===0?0:-1,o.dataset.line=String(e),this.#A.push(o),o}#$(e,t=!this.#j.has(e)){t?this.#j.add(e):this.#j.delete(e);const n=this.#T[e];n.toggleAttribute('data-folded',t),n.querySelector('button').ariaExpanded=String(!t);const o=Math.min(this.#m[e].end,this.#T.length-1);for(let t=e+1;t<=o;t++)this.#T[t].hidden=this.#L(this.#m[t])}#D(e){const t=this.#A.indexOf(e.target);if(t<0||e.altKey||e.ctrlKey||e.metaKey||e.shiftKey)return;const n=Number(this.#A[t].dataset.line);if(e.key==='ArrowRight'||e.key==='ArrowLeft')this.#$(n,e.key==='ArrowLeft');else{const n=this.#A.filter(e=>!e.parentElement.hidden),o={ArrowDown:1,ArrowUp:-1}[e.key],i=o===void 0?void 0:n[n.indexOf(this.#A[t])+o];if(o===void 0)return;i&&(this.#A[t].tabIndex=-1,i.tabIndex=0,i.focus())}e.preventDefault(),e.stopPropagation()}}function V(e,{indent:t,key:n,value:o,kind:i,comma:r},s){if(e.appendChild(new Text(t)),n!==null){const t=C('span','key');_(t,n,!0),e.appendChild(t),e.appendChild(new Text(': '))}const a=C('span',i);((e,t,n)=>{if(_(e,t.slice(0,J),!0),t.length<=J)return;const o=z('more-text',n.showText(t.length),()=>{const e=C('span');_(e,t.slice(J),!0),o.replaceWith(e),e.closest('pre').focus({preventScroll:!0})});e.append(o)})(a,o,s),e.appendChild(a),r&&e.appendChild(new Text(','))}class X{constructor(e,t,n){this.element=C('div','section'),this.#S=e,this.#h=t,this.#n=n,this.element.dataset.section=e.name,this.#O=this.#M()}#S;#O;#h;#n;get kind(){return this.#S.kind}update(e){const t=this.#S;this.#S=e,['text','before','grows','content'].every(n=>e[n]===t[n])||this.#O.update(e)||(this.#O=this.#M())}#M(){const{title:e}=this.#S,t=C('div','head'),n=((e,t,n)=>{const o=z('copy','',()=>{(async(e,t)=>{try{return await navigator.clipboard.writeText(e),!0}catch{const n=C('textarea','unseen');n.value=e,t.after(n),n.select();const o=document.execCommand('copy');return n.remove(),t.focus({preventScroll:!0}),o}})(n(),o).then(e=>{r.textContent=e?t.copied:t.notCopied,o.dataset.copied=String(e),clearTimeout(i),i=setTimeout(()=>{r.textContent='',delete o.dataset.copied},2e3)})});let i;const r=C('span','said');return r.setAttribute('role','status'),o.append(C('span','unseen',t.copy(e)),r),o.setAttribute('part','copy-button'),o})(e,this.#n,()=>this.#O.copied?.()??this.#S.text);return t.append(C('small','',e),n),this.element.replaceChildren(t),this.#h(this.element,this.#S,this.#n)}}const Y=i`
.tool-body {
container-type: inline-size;
--_red: var(--hermes-color-terminal-red, #d13c36);
--_green: var(--hermes-color-terminal-green, #1c8a4a);
--_yellow: var(--hermes-color-terminal-yellow, #a87400);
--_blue: var(--hermes-color-terminal-blue, #2f74e0);
--_magenta: var(--hermes-color-terminal-magenta, #a64ac9);
--_cyan: var(--hermes-color-terminal-cyan, #0c8599);
}
.section {
margin-block-end: 0.75em;
}
.head {
display: flex;
align-items: center;
justify-content: space-between;
min-block-size: 1.75em;
}
.head small {
margin: 0;
}
.head > .copy {
flex: none;
color: var(--_muted);
font-size: 0.9em;
}
.head > .copy::before {
content: '';
inline-size: 0.75em;
block-size: 0.75em;
border: 1.5px solid currentColor;
border-radius: 0.2em;
box-shadow:
0.22em -0.22em 0 -1.5px transparent,
0.22em -0.22em 0 -0.2px currentColor;
margin-block-start: 0.25em;
}
.head > .copy[data-copied]::before {
content: none;
}
.said:empty {
display: none;
}
.tool-body pre {
color: inherit;
}
.more-lines,
.more-text,
.unchanged {
color: var(--_muted);
font-size: 0.9em;
}
.more-text {
display: inline;
margin: 0;
font-family: var(--hermes-font, sans-serif);
text-decoration: underline;
}
.more-lines {
margin-block-start: 0.25em;
}
.tool-body .section > pre + pre,
.tool-body .section > pre + p,
.tool-body .part + .part {
margin-block-start: 0.5em;
}
.styled.bold {
font-weight: 600;
}
.dim {
color: var(--_muted);
}
.italic {
font-style: italic;
}
.underline {
text-decoration-line: underline;
}
.strike {
text-decoration-line: line-through;
}
.underline.strike {
text-decoration-line: underline line-through;
}
.colour-8 {
color: var(--_muted);
}
.ground-0,
.ground-7,
.ground-8,
.ground-15 {
--_ground: currentColor;
}
.colour-1,
.colour-9 {
--_colour: var(--_red);
}
.ground-1,
.ground-9 {
--_ground: var(--_red);
}
.colour-2,
.colour-10 {
--_colour: var(--_green);
}
.ground-2,
.ground-10 {
--_ground: var(--_green);
}
.colour-3,
.colour-11 {
--_colour: var(--_yellow);
}
.ground-3,
.ground-11 {
--_ground: var(--_yellow);
}
.colour-4,
.colour-12 {
--_colour: var(--_blue);
}
.ground-4,
.ground-12 {
--_ground: var(--_blue);
}
.colour-5,
.colour-13 {
--_colour: var(--_magenta);
}
.ground-5,
.ground-13 {
--_ground: var(--_magenta);
}
.colour-6,
.colour-14 {
--_colour: var(--_cyan);
}
.ground-6,
.ground-14 {
--_ground: var(--_cyan);
}
[class*='colour-']:not(.colour-0, .colour-7, .colour-8, .colour-15) {
color: color-mix(in oklab, var(--_colour) var(--_mix, 72%), currentColor);
}
[class*='ground-'] {
--_mix: 40%;
background: color-mix(in oklab, var(--_ground) 24%, transparent);
}
.colour-own {
--_mix: 30%;
}
@supports (color: oklch(from red l c h)) {
.styled.colour-own {
color: color-mix(
in oklab,
oklch(from var(--_colour) clamp(0.55, l, 0.68) c h) var(--_mix),
currentColor
);
--_mix: 65%;
}
}
.inverse {
background: color-mix(in srgb, currentColor 18%, transparent);
}
.json-line {
display: block;
position: relative;
padding-inline-start: 1.25em;
}
.json-line[data-folded] > .rest::after {
content: attr(data-rest);
color: var(--_muted);
}
.fold {
position: absolute;
inset-inline-start: -0.25em;
inset-block-start: 0;
margin: 0;
padding: 0;
inline-size: 1.5em;
block-size: 1.5em;
justify-content: center;
color: var(--_muted);
}
.fold::before {
content: '▸';
content: '▸' / '';
line-height: 1;
}
.fold[aria-expanded='true']::before {
rotate: 90deg;
}
.key {
color: var(--_accent);
}
.json .string {
color: color-mix(in oklab, var(--_green) 55%, currentColor);
}
.json .number,
.json .word {
color: color-mix(in oklab, var(--_magenta) 60%, currentColor);
}
.diff {
font-family: var(--_mono);
font-size: var(--hermes-font-size-code, 0.875em);
line-height: 1.5;
background: var(--_code);
border-radius: calc(var(--_radius) / 1.5);
padding-block: 0.5em;
max-block-size: var(--hermes-output-max-height, 24em);
overflow: auto;
overscroll-behavior: contain;
tab-size: 2;
}
.tool-body .diff .file,
.hunk,
.diff .note {
padding-inline: 1em;
white-space: pre-wrap;
color: var(--_muted);
}
.tool-body .diff .file {
color: inherit;
font-weight: 600;
padding-block-end: 0.25em;
}
.tool-body .diff .file small {
display: inline;
font-weight: 400;
}
.tool-body .diff .file:not(:first-child),
.hunk:not(:first-child, .file + .hunk) {
margin-block-start: 0.5em;
padding-block-start: 0.25em;
border-block-start: var(--_border) solid var(--_line);
}
.diff-line {
display: grid;
grid-template-columns: minmax(2.2em, max-content) minmax(2.2em, max-content) 1.5em minmax(0, 1fr);
}
.diff-line::before,
.diff-line::after {
content: attr(data-before);
grid-row: 1;
inline-size: 3.2em;
padding-inline: 0.3em;
box-sizing: border-box;
text-align: end;
color: var(--_muted);
font-size: 0.85em;
line-height: calc(1.5 / 0.85);
font-variant-numeric: tabular-nums;
}
.diff-line::after {
content: attr(data-after);
grid-column: 2;
}
.sign {
grid-column: 3;
grid-row: 1;
white-space: pre;
text-align: center;
font-weight: 600;
}
.content {
grid-column: 4;
grid-row: 1;
white-space: pre-wrap;
min-block-size: 1.5em;
padding-inline-end: 1em;
}
.diff-line.add,
.diff-line.remove {
color: inherit;
}
.diff-line.add {
background: color-mix(in srgb, var(--_success) 12%, transparent);
}
.diff-line.remove {
background: color-mix(in srgb, var(--_error) 11%, transparent);
}
.add .sign {
color: var(--_success);
}
.remove .sign {
color: var(--_error);
}
.diff ins,
.diff del {
text-decoration: none;
border-radius: 0.2em;
background: color-mix(in srgb, var(--_success) 30%, transparent);
box-shadow: 0 2px 0 -0.5px var(--_success);
}
.diff del {
background: color-mix(in srgb, var(--_error) 26%, transparent);
box-shadow: 0 2px 0 -0.5px var(--_error);
}
.unchanged {
margin: 0.15em 0;
padding-inline: 1em;
inline-size: 100%;
max-inline-size: none;
border-radius: 0;
background: var(--_soft);
font-family: var(--hermes-font, inherit);
}
.unchanged::before {
content: '⋯';
}
@container (inline-size < 26em) {
.diff-line {
grid-template-columns: 2.6em 1.2em minmax(0, 1fr);
}
.diff-line::before,
.diff-line::after {
inline-size: 2.8em;
grid-column: 1;
}
.same::before,
.add::before,
.remove::after {
content: none;
}
.sign {
grid-column: 2;
}
.content {
grid-column: 3;
}
}
@container (inline-size >= 44em) {
.change {
display: grid;
grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
grid-template-rows: repeat(var(--_rows), auto);
}
.side {
display: grid;
grid-row: 1 / span var(--_rows);
grid-template-rows: subgrid;
}
.change .diff-line {
grid-template-columns: 3.2em 1.5em minmax(0, 1fr);
}
.change .sign {
grid-column: 2;
}
.change .content {
grid-column: 3;
}
.diff {
background:
linear-gradient(var(--_line), var(--_line)) 50% / var(--_border) 100% no-repeat,
var(--_code);
}
.diff-line.same {
grid-template-columns: 3.2em 1.5em minmax(0, 1fr) 3.2em 1.5em minmax(0, 1fr);
}
.same .sign {
grid-column: 2;
}
.same .content {
grid-column: 3;
}
.same::after {
grid-column: 4;
}
.same .beside {
grid-column: 6;
grid-row: 1;
white-space: pre-wrap;
padding-inline-end: 1em;
}
.same .beside::after {
content: attr(data-text);
content: attr(data-text) / '';
}
.remove::after,
.add::before {
content: none !important;
}
.add::after {
grid-column: 1;
}
}
.tool-body img {
display: block;
max-inline-size: 100%;
max-block-size: var(--hermes-output-max-height, 24em);
border-radius: calc(var(--_radius) / 1.5);
}
.no-picture {
color: var(--_muted);
}
.tool-body .part > p {
margin: 0;
overflow-wrap: anywhere;
}
.tool-body .show-picture {
margin: 0.25em 0 0;
color: var(--_accent);
border: var(--_border) dashed var(--_line);
}
.address small {
display: inline;
margin-inline-start: 0.75em;
color: var(--_muted);
}
@media (forced-colors: active) {
.diff ins {
text-decoration: underline;
}
.diff del {
text-decoration: line-through;
}
.diff-line.add,
.diff-line.remove {
text-decoration: none;
}
.diff {
border: 1px solid;
}
.inverse,
[class*='ground-'] {
outline: 1px solid;
}
}
@media print {
.diff {
max-block-size: none !important;
overflow: visible;
}
.head > .copy,
.fold {
display: none;
}
}
`,Z={command:T,text:T,terminal:T,json:(e,t,n)=>(new Q(e,t,n),{update:()=>!1}),diff:R,texts:R,content:(e,t,n)=>new M(e,t,n)},ee=r(class extends s{#P=new Map;#n;#H;#I;render(e,t,n){return a}update({element:e},[t,n,o]){if(o!==this.#I&&this.#R(),t===this.#H)return a;this.#H=t,this.#I=o;const i=this.#n??={...y,...n.toolBody};queueMicrotask(()=>(e=>{const t=e.getRootNode(),n=Y.styleSheet;t instanceof ShadowRoot&&n&&!t.adoptedStyleSheets.includes(n)&&(t.adoptedStyleSheets=[...t.adoptedStyleSheets,n])})(e));const r=((e,t,n)=>{const o={command:n.command,arguments:t.arguments,changes:t.changes},i=x(e).map(({argument:e,...t})=>({...t,title:e??o[t.name]}));return e.output||e.content?[...i,ie(e,t)]:i})(t,n,i).map(e=>o?{...e,prose:o}:e);let s=null;for(const t of r){const n=this.#K(t,i),o=s?s.nextElementSibling:e.firstElementChild;o!==n.element&&e.insertBefore(n.element,o),s=n.element}for(const[e,t]of this.#P)r.some(t=>t.name===e)||(t.element.remove(),this.#P.delete(e));return a}#R(){for(const{element:e}of this.#P.values())e.remove();this.#P.clear(),this.#H=this.#n=void 0}#K(e,t){const n=this.#P.get(e.name);if(n&&(n.kind===e.kind||(e=>{const t=l(e.getRootNode());return t!==null&&t!==void 0&&!t.collapsed&&e.contains(t.startContainer)})(n.element)))return n.update({...e,kind:n.kind}),n;n?.element.remove();const o=new X(e,Z[e.kind],t);return this.#P.set(e.name,o),o}}),te=['read','edit','delete','fetch','web','browse'],ne=/[\x1b\b]|\r(?!\n|$)/,oe=/^(?:diff --git .*\n(?:(?!---|@@).*\n){0,8})?--- .+\n\+\+\+ .+\n@@ /;function ie(e,t){const{output:n,status:o,content:i}=e,r=o==='running'||o==='pending';return{name:'output',title:t.output,text:n,content:i,grows:r,kind:re(e,r)}}function re(e,t){const{output:n,content:o}=e;if(o)return'content';const i=d(e);return te.includes(i)||i!=='run'&&!ne.test(n)||!t&&!ne.test(n)?t?'text':oe.test(n)?'diff':v(n)?'content':/^\s*[[{]/.test(n)&&b(n)?'json':i==='run'?'terminal':'text':'terminal'}return{toolBody:ee}})(parts,hermesPart(hermesPart0),hermesPart(hermesPart1));
//# sourceMappingURL=classic-tool-body-DUJFECzf.js.map
