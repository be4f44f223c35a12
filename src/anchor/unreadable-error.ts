/** A payload that is none we know. Its message is a sentence for the reader; whatever else is thrown is a defect of ours. */
export class UnreadableError extends TypeError {
  override readonly name = 'UnreadableError';
}
