/**
 * The line under a turn: copies its answer, or as much as is there while it runs, quotes what is selected in it, and has a
 * menu with the rest.
 */
import {html, nothing, svg} from 'lit';
import type {TurnAnchor} from '../../anchor/index.js';
import {HermesQuoteRequestEvent} from '../events.js';
import type {HermesTurn} from '../hermes-turn.js';
import {say} from '../narrator.js';
import type {RowView} from '../rows.js';
import {spoken} from '../spoken.js';
import {dress} from './action-styles.js';
import {cleanHtml} from './clean-html.js';
import {fragmentOf} from './deep-links.js';
import {exported, readsMath, transcriptOf, type ExportFormat} from './exported.js';
import {markdown} from './markdown-here.js';
import {saveFile} from './save-file.js';
import {Menu} from './menu.js';
import {quotedRanges, quoteInComposer, quoteLines, selectionIn} from './quote.js';
import {watchSelection} from './selected-turns.js';
import {titleOf} from './archive.js';
import {actionWords, type ActionWords} from './words.js';

/** How long a button says what it did, in ms. */
const SAID_MS = 2000;

const names = ['copy', 'quote', 'more'] as const;
type Name = (typeof names)[number];

const pictures = {
  copy: 'M6 6h7.5v7.5H6zM10 6V2.5H2.5V10H6',
  quote: 'M3 5.5h3.5V9L4.5 12M9 5.5h3.5V9l-2 3',
  done: 'm3.5 8.5 3 3 6-7',
};

const all = new WeakMap<HermesTurn, TurnActions>();

export function turnActions(host: HermesTurn, turn: TurnAnchor, view: RowView) {
  let actions = all.get(host);
  if (!actions) all.set(host, (actions = new TurnActions(host)));
  return actions.render(turn, view);
}

class TurnActions {
  /** What a button says instead of its name, for a moment. */
  #said: readonly [by: Name, words: string, good: boolean] | null = null;
  #isSelected = false;
  /** The button that is reached by tab. */
  #stop: Name = 'copy';
  #words: ActionWords = actionWords;
  #turn: TurnAnchor | null = null;
  readonly #menu: Menu;

  constructor(private readonly host: HermesTurn) {
    this.#menu = new Menu(host);
    watchSelection(host.renderRoot, this);
  }

  /** Something is, or is no longer, selected in the turn. */
  heard(isSelected: boolean): void {
    this.#isSelected = isSelected;
    this.host.requestUpdate();
  }

  render(turn: TurnAnchor, {mode, strings}: RowView) {
    this.#turn = turn;
    const words = (this.#words = spoken(actionWords, strings.actions));
    const hasAnswer = turn.answer.length > 0;
    const isQuiet = mode === 'answer-only';
    if (!hasAnswer && isQuiet) return nothing;
    dress(this.host.renderRoot.getRootNode());
    const shown: Name[] = [];
    if (hasAnswer || isRunning(turn)) shown.push('copy');
    if (this.#isSelected && !isQuiet) shown.push('quote');
    if (!isQuiet) shown.push('more');
    if (!shown.includes(this.#stop)) this.#stop = shown[0]!;
    return html`<div class="bar" role="toolbar" aria-label=${words.label} @keydown=${this.#stepped}>
      ${names.map((name) => (shown.includes(name) ? this.#renderButton(name) : nothing))}${isQuiet ? nothing : this.#menu.render(words.more, () => this.#entries())}
    </div>`;
  }

  #renderButton(name: Name) {
    const {copyAnswer, copySoFar, quote, more} = this.#words;
    const said = this.#said?.[0] === name ? this.#said : null;
    const label = said?.[1] ?? {copy: isRunning(this.#turn!) ? copySoFar : copyAnswer, quote, more}[name];
    const isMenu = name === 'more';
    return html`<button
      type="button"
      part="action"
      data-action=${name}
      tabindex=${this.#stop === name ? 0 : -1}
      aria-haspopup=${isMenu ? 'menu' : nothing}
      aria-expanded=${isMenu ? this.#menu.isOpen : nothing}
      @focus=${() => this.#reached(name)}
      @mousedown=${keepSelection}
      @click=${(event: MouseEvent) => this.#pressed(name, event)}
    >
      ${said?.[2] ? picture('done') : isMenu ? nothing : picture(name)}<span>${label}</span>${isMenu ? html`<i class="icon chevron"></i>` : nothing}
    </button>`;
  }

  #entries() {
    const {copyAs, link, download, find} = this.#words;
    const transcript = transcriptOf(this.host);
    const formats = ['markdown', 'text', 'html', 'json'] as const;
    return [
      ...formats
        .filter((format) => format !== 'json' || this.#hasSession)
        .map((format) => ({words: copyAs[format], act: () => this.#copyTurn(format)})),
      ...(transcript?.links ? [{words: link, act: () => this.#copyLink()}] : []),
      ...(transcript ? [{words: find.label, act: () => void transcript.find()}] : []),
      {words: download, act: () => this.#download()},
    ];
  }

  get #hasSession(): boolean {
    return Boolean((transcriptOf(this.host) ?? this.host).shown);
  }

  #pressed(name: Name, {currentTarget}: MouseEvent) {
    if (name === 'copy') return isRunning(this.#turn!) ? this.#copySoFar() : this.#copyAnswer();
    if (name === 'quote') return this.#quote();
    this.host.reader?.hold();
    this.#menu.toggle(currentTarget as HTMLElement);
  }

  #copyAnswer() {
    const text = this.#turn!.answer.toString();
    this.#tell(
      'copy',
      markdown().copy({text: `${text.trim()}\n`, html: cleanHtml(text, '', readsMath(this.host))}),
    );
  }

  /** All that it shows by now, which may be more than when the line was drawn. */
  #copySoFar() {
    const [text, html] = [exported(this.host, 'markdown'), exported(this.host, 'html')];
    this.#tell('copy', markdown().copy({text, html}));
  }

  #copyTurn(format: Exclude<ExportFormat, 'archive'>) {
    const text = exported(this.host, format === 'html' ? 'text' : format);
    this.#tell(
      'more',
      markdown().copy(format === 'html' ? {text, html: exported(this.host, format)} : {text}),
    );
  }

  #copyLink() {
    const url = new URL(location.href);
    url.hash = fragmentOf({turnId: this.#turn!.id});
    this.#tell('more', markdown().copy({text: url.href}));
  }

  #download() {
    const from = transcriptOf(this.host) ?? this.host;
    const turns = from.shown?.transcript.turns ?? [this.#turn!];
    const title = titleOf(turns, from.shown?.snapshot ?? null) ?? 'conversation';
    saveFile(`${title}.html`, 'text/html', exported(from, 'archive'));
  }

  #quote() {
    const {host} = this;
    const selection = selectionIn(host.renderRoot.getRootNode() as ShadowRoot);
    const rows = host.renderRoot.querySelectorAll<HTMLElement>('[data-item-id]');
    const ranges = selection ? quotedRanges(selection, rows) : [];
    if (ranges.length === 0) return;
    const text = ranges.map((range) => range.text).join('\n\n');
    if (!host.dispatchEvent(new HermesQuoteRequestEvent(this.#turn!.id, text, ranges))) return;
    const session = (transcriptOf(host) ?? host).shown;
    void quoteInComposer(host, session, text).then((isThere) => {
      if (isThere) this.#say('quote', this.#words.quoted, true);
      else this.#tell('quote', markdown().copy({text: `${quoteLines(text)}\n`}));
    });
  }

  #tell(by: Name, copied: Promise<boolean>) {
    const {copied: good, notCopied} = this.#words;
    void copied.then((isThere) => this.#say(by, isThere ? good : notCopied, isThere));
  }

  #say(by: Name, words: string, good: boolean) {
    const said = [by, words, good] as const;
    this.#said = said;
    this.host.requestUpdate();
    const region = (this.host.renderRoot.getRootNode() as ShadowRoot).querySelector('.unseen[role=status]');
    if (region) say(region, words);
    setTimeout(() => {
      if (this.#said !== said) return;
      this.#said = null;
      this.host.requestUpdate();
    }, SAID_MS);
  }

  #reached(name: Name) {
    if (this.#stop === name) return;
    this.#stop = name;
    this.host.requestUpdate();
  }

  /** Arrows, Home and End go from button to button; an arrow down opens the menu. */
  readonly #stepped = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const bar = event.currentTarget as HTMLElement;
    const buttons = [...bar.querySelectorAll<HTMLElement>(':scope > button')];
    const at = buttons.indexOf(target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const forward = getComputedStyle(bar).direction === 'rtl' ? -1 : 1;
    const to = {ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: buttons.length - 1}[
      event.key
    ];
    const opens = event.key === 'ArrowDown' && target.dataset['action'] === 'more';
    if (to === undefined && !opens) return;
    event.preventDefault();
    if (opens && !this.#menu.isOpen) target.click();
    else if (to !== undefined) buttons[to]?.focus();
  };
}

const isRunning = ({terminal}: TurnAnchor) => terminal === null;

/** Pressed by a pointer, a button takes neither the focus nor what is selected. */
function keepSelection(event: Event) {
  event.preventDefault();
}

function picture(name: keyof typeof pictures) {
  return html`<svg class="icon ${name}" viewBox="0 0 16 16" aria-hidden="true">
    ${svg`<path d=${pictures[name]} />`}
  </svg>`;
}
