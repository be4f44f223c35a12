/** How a turn's activity is shown. A mode is a projection: it changes what is drawn, never what is known. */
export type DisplayMode = 'compact-worklog' | 'transparent-stream' | 'answer-only';

export const displayModes = [
  'compact-worklog',
  'transparent-stream',
  'answer-only',
] as const satisfies readonly DisplayMode[];

/** The mode a text names, in our spelling or Hermes WebUI's; anything else is the compact worklog. */
export function parseDisplayMode(value: unknown): DisplayMode {
  const text = typeof value === 'string' ? value.trim().toLowerCase().replaceAll('_', '-') : '';
  if (text === 'hide-all-activity') return 'answer-only';
  return displayModes.find((mode) => mode === text) ?? 'compact-worklog';
}
