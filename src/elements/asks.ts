/** What is asked of the reader and not answered yet, wherever it stands on the page. Who draws it says so. */
export const asks = new Set<Element>();
