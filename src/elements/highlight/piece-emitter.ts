/** What highlight.js writes its findings to: pieces of text, each with the class of the innermost scope around it. */
import type {CodePiece} from '../markdown/prose-host.js';

export class PieceEmitter {
  readonly pieces: CodePiece[] = [];
  readonly #scopes: string[] = [];

  addText(text: string): void {
    if (text === '') return;
    const scope = this.#scopes.at(-1);
    this.pieces.push(scope === undefined ? text : {kind: classOf(scope), text});
  }

  startScope(scope: string): void {
    this.#scopes.push(scope);
  }

  endScope(): void {
    this.#scopes.pop();
  }

  // The names of earlier versions, which grammars may still call.
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  /** A language in another one. */
  __addSublanguage(emitter: PieceEmitter, _name: string): void {
    this.pieces.push(...emitter.pieces);
  }

  closeAllNodes(): void {
    this.#scopes.length = 0;
  }

  finalize(): void {
    this.closeAllNodes();
  }

  /** Nobody reads it. */
  toHTML(): string {
    return '';
  }
}

/** `title.function` is a kind of title: the first word decides the colour. */
function classOf(scope: string): string {
  return `hl-${scope.split('.')[0]}`;
}
