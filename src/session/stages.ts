/** How long to wait before each look at a server that does not say what is, in ms (reference/hermes-webui.md 2.5). */
export const STAGES = [1500, 3000, 5000, 8000, 12_000, 20_000] as const;
