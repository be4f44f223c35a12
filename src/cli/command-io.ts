/** What a command may do to the world; the command file gives it the real one. */
export interface CommandIo {
  /** The text of a file. */
  readFile(path: string): Promise<string>;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Output, as it is. */
  write(text: string): void;
  /** A remark for the person, apart from the output. */
  warn(sentence: string): void;
}
