/** The note tools over a folder host that lives in this process: no port between the two. */
import {NoteToolServer, noteToolsUrl} from '../note-tool-server.js';
import type {FolderHost} from './folder-host.js';

/** A tool server whose host is the one given. It is stopped by whoever asked for it. */
export function folderToolServer(host: FolderHost): NoteToolServer {
  return new NoteToolServer({
    // Only its path counts.
    url: noteToolsUrl('http://localhost'),
    fetch: (input, init) => host.fetch(new Request(input, init)),
  });
}
