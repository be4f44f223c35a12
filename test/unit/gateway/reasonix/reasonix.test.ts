/** Reasonix as a real process against a mock model. The platform's binary, not the launcher, which passes no signals on. */
import {realAgentTests} from '../../../support/real-agents/real-agent-tests.js';
import {reasonixBinary, reasonixNote, reasonixToml} from '../../../support/real-agents/reasonix.js';

realAgentTests(
  {
    name: 'reasonix',
    runtimeType: 'reasonix',
    bin: reasonixBinary(),
    args: ['acp'],
    files: (modelUrl) => ({
      'work/reasonix.toml': reasonixToml(modelUrl),
    }),
    askOption: {id: 'tool_approval', value: 'read-only'},
    shell: (command) => `TOOL:bash ${JSON.stringify({command, description: 'a command'})} END`,
    note: reasonixNote,
  },
  {afterReject: 'run.completed', cacheHitRate: 1024 / 1200, asksForNotes: true},
);
