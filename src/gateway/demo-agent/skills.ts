/**
 * What the demo agent can do, first match first. No model behind it: each row does one honest thing to real Markdown.
 *
 * The last rows are for trying a page: `fail`, `stall`, `crash`, `long`.
 */
import {RequestError} from '@agentclientprotocol/sdk';
import type {McpClient} from './mcp-client.js';
import {languageIn, summary, tasks, translateHeadings, withContents, withTodo} from './note-work.js';
import {changeNote, listPages, look, readNote, type Changed} from './open-note.js';
import {tidy} from './tidy.js';
import type {OpenNote, Turn} from './turn.js';

export interface Skill {
  /** Its slash command; null for one that is only for trying. */
  readonly command: {readonly name: string; readonly description: string; readonly hint?: string} | null;
  readonly matches: RegExp;
  run(turn: Turn, options: SkillOptions): Promise<void>;
}

export interface SkillOptions {
  /** Ends the process, as a crash does. */
  readonly crash: () => never;
}

export const skills: readonly Skill[] = [
  {command: null, matches: /\bcrash\b/i, run: crash},
  {command: null, matches: /\bfail\b/i, run: fail},
  {command: null, matches: /\bstall\b/i, run: stall},
  {command: null, matches: /\blong\b/i, run: writeLong},
  {
    command: {name: 'todo', description: 'Add a to-do list of what the note says is to be done'},
    matches: /\bto-?do|\btasks?\b|\bchecklist/i,
    run: addTodo,
  },
  {
    command: {name: 'tidy', description: 'Correct misspellings, spaces and list marks'},
    matches: /\btidy|\btypos?\b|\bspell|\bclean ?up|\bproofread/i,
    run: tidyNote,
  },
  {
    command: {name: 'contents', description: 'Put a list of the headings below the title'},
    matches: /\bcontents\b|\btoc\b|\boutline\b/i,
    run: addContents,
  },
  {
    command: {name: 'translate', description: 'Translate common headings', hint: 'german, french or spanish'},
    matches: /\btranslate\b/i,
    run: translate,
  },
  {
    command: {name: 'find', description: 'Find notes that have these words', hint: 'words'},
    matches: /\bfind\b|\bsearch\b/i,
    run: findNotes,
  },
  {
    command: {name: 'summarise', description: 'Say in short what the note is about'},
    matches: /\bsummar|\btl;?dr\b|\babout this\b/i,
    run: summarise,
  },
];

const help: Skill = {command: {name: 'help', description: 'Say what I can do'}, matches: /./, run: sayHelp};

/** The commands for `available_commands_update`. */
export const commands = [...skills, help].flatMap(({command}) =>
  command
    ? [
        {
          name: command.name,
          description: command.description,
          ...(command.hint && {input: {hint: command.hint}}),
        },
      ]
    : [],
);

/** The skill that a prompt asks for. */
export function skillFor(prompt: string): Skill {
  const [, name] = /^\/(\w+)/.exec(prompt.trim()) ?? [];
  const named = [...skills, help].find(({command}) => command !== null && command.name === name);
  return named ?? skills.find(({matches}) => matches.test(prompt)) ?? help;
}

/** The note, or words about why there is none; and a word about what cannot be done without tools. */
async function openNote(
  turn: Turn,
): Promise<{readonly tools: McpClient | null; readonly note: OpenNote | null}> {
  const {tools, note} = await look(turn);
  if (!tools) {
    await turn.say(
      note
        ? 'I have no note tools here, so I work on what the page told me and cannot change anything.'
        : 'I have no note tools here and the page told me nothing, so there is nothing I can read. Open me beside a note.',
    );
  } else if (!note) await turn.say('I found no note that I can read.');
  return {tools, note};
}

async function summarise(turn: Turn): Promise<void> {
  await turn.think(
    'The reader wants to know what the note says.',
    'I read it whole, count its words, and take the first sentence of each part.',
  );
  const {note} = await openNote(turn);
  if (note) await turn.say(summary(note.title, note.markdown));
}

async function tidyNote(turn: Turn): Promise<void> {
  await turn.think(
    'I look for misspellings, stray spaces and mixed list marks.',
    'Code and addresses stay as they are.',
  );
  await turn.plan('Read the note', 'Find what is untidy', 'Change the note');
  const {tools, note} = await openNote(turn);
  if (!note) return;
  await turn.step();
  const {fixes} = tidy(note.markdown);
  if (fixes.length === 0) return turn.say(`**${note.title}** is tidy already.`);
  await turn.say(`I found ${inWords(fixes)} in **${note.title}**.`);
  await turn.step();
  await change(turn, {tools, note}, (markdown) => tidy(markdown).markdown, 'The note is tidy now.');
}

async function addTodo(turn: Turn): Promise<void> {
  await turn.think(
    'I look for sentences that say what is to be done.',
    'Such as “we need to …”, “must …” or “TODO: …”.',
  );
  await turn.plan('Read the note', 'Collect tasks', 'Add the list');
  const {tools, note} = await openNote(turn);
  if (!note) return;
  await turn.step();
  const {added} = withTodo(note.markdown);
  const {open, done} = tasks(note.markdown);
  if (added.length === 0) {
    const state = open + done > 0 ? ` It lists ${open} open and ${done} finished tasks.` : '';
    return turn.say(
      `I found nothing in **${note.title}** that is still to be done and not in a list.${state}`,
    );
  }
  await turn.say(`I found:\n\n${added.map((task) => `- ${task}`).join('\n')}`);
  await turn.step();
  await change(turn, {tools, note}, (markdown) => withTodo(markdown).markdown, 'The list is in the note.');
}

async function addContents(turn: Turn): Promise<void> {
  await turn.think('A list of the headings goes below the title.');
  const {tools, note} = await openNote(turn);
  if (!note) return;
  if (withContents(note.markdown) === null) {
    return turn.say(`**${note.title}** has no headings below its title, so there is nothing to list.`);
  }
  await turn.say('I list the headings below the title.');
  await change(
    turn,
    {tools, note},
    (markdown) => withContents(markdown) ?? markdown,
    'The contents are in the note.',
  );
}

async function translate(turn: Turn): Promise<void> {
  const language = languageIn(turn.prompt);
  if (!language) return turn.say('I can translate headings to German, French or Spanish. Which one?');
  await turn.think('I know some common headings by heart; the others stay.');
  const {tools, note} = await openNote(turn);
  if (!note) return;
  const {done, unknown} = translateHeadings(note.markdown, language);
  const rest =
    unknown.length > 0 ? ` I do not know the words for ${inWords(unknown.map((each) => `“${each}”`))}.` : '';
  if (done === 0) return turn.say(`I found no heading that I can translate.${rest}`);
  await turn.say(`I can translate ${done} ${done === 1 ? 'heading' : 'headings'}.${rest}`);
  await change(
    turn,
    {tools, note},
    (markdown) => translateHeadings(markdown, language).markdown,
    'The headings are translated.',
  );
}

const AT_ONCE = 4;

async function findNotes(turn: Turn): Promise<void> {
  const query = turn.prompt
    .replace(/^.*?\b(?:find|search)\b(?:\s+(?:for|notes?|about|the|with))*/i, '')
    .replace(/[?.!"“”]/g, '')
    .trim();
  if (query === '') return turn.say('Tell me the words to look for: “find meeting”.');
  await turn.think(`I search all notes for “${query}”.`);
  const tools = await turn.tools();
  if (!tools) return turn.say('I have no note tools here, so I cannot search.');
  const pages = await listPages(turn, tools, query);
  if (pages.length === 0) return turn.say(`No note has the words “${query}”.`);
  const notes = await Promise.all(
    pages.slice(0, AT_ONCE).map(({id, title}) => readNote(turn, tools, id, title)),
  );
  const found = notes
    .filter((note) => note !== null)
    .map((note) => `- **${note.title}**: ${lineWith(note, query)}`);
  const more = pages.length > AT_ONCE ? `\n\nand ${pages.length - AT_ONCE} more.` : '';
  await turn.say(
    `${pages.length} ${pages.length === 1 ? 'note has' : 'notes have'} “${query}”:\n\n${found.join('\n')}${more}`,
  );
}

function lineWith({markdown}: OpenNote, query: string): string {
  const [word = ''] = query.toLowerCase().split(/\s+/);
  const line = markdown.split('\n').find((each) => each.toLowerCase().includes(word)) ?? '';
  return line.replace(/^[#>\s*+-]+/, '').slice(0, 160);
}

async function sayHelp(turn: Turn): Promise<void> {
  await turn.think('I am not sure what the reader wants, so I say what I can do.');
  const {note} = await look(turn);
  const here = note ? `We are in **${note.title}**. ` : '';
  const list = commands.map(({name, description}) => `- \`/${name}\`: ${description}`).join('\n');
  await turn.say(
    `I am the demo agent. There is no model behind me: I follow a few fixed rules, so that you can try the page. ${here}You can ask in plain words or with a command:\n\n${list}\n\nTo try the page itself, say \`fail\`, \`stall\`, \`slow\`, \`long\` or \`crash\`.`,
  );
}

const LONG_PARTS = 40;

async function writeLong(turn: Turn): Promise<void> {
  await turn.think(
    'A long answer, part by part.',
    'With lists, code and a table, so that there is something to scroll.',
  );
  for (let part = 1; part <= LONG_PARTS; part++) {
    await turn.say(longPart(part));
  }
}

function longPart(part: number): string {
  const head = `## Part ${part} of ${LONG_PARTS}\n\nThis text is written to be long. It says nothing new, but it says it in *several* ways, with \`code\` in between, so that you can stop me, scroll up, select some of it, and see that it stays where it is.`;
  if (part % 4 === 0)
    return `${head}\n\n| Part | Half | Double |\n| --- | --- | --- |\n| ${part} | ${part / 2} | ${part * 2} |`;
  if (part % 4 === 2)
    return `${head}\n\n\`\`\`js\nfor (let part = ${part}; part < ${part + 3}; part++) console.log(part);\n\`\`\``;
  return `${head}\n\n- first, that it is part ${part}\n- then, that ${LONG_PARTS - part} follow`;
}

async function fail(turn: Turn): Promise<void> {
  await turn.think('I was told to fail, so I do.');
  const tools = await turn.tools();
  if (tools) await readNote(turn, tools, 'no-such-note', 'a note that does not exist');
  await turn.say('This goes wrong now:');
  throw RequestError.internalError(undefined, 'The demo agent failed, as it was told to.');
}

async function stall(turn: Turn): Promise<void> {
  await turn.think('I was told to stall: from here on I say nothing until I am stopped.');
  await turn.stall();
}

async function crash(turn: Turn, {crash}: SkillOptions): Promise<void> {
  await turn.think('I was told to crash.');
  await turn.say('This sentence has no');
  crash();
}

async function change(
  turn: Turn,
  {tools, note}: {readonly tools: McpClient | null; readonly note: OpenNote},
  rewrite: (markdown: string) => string,
  done: string,
): Promise<void> {
  if (!tools) return turn.say(`This is how it would read:\n\n${fenced(rewrite(note.markdown))}`);
  const changed = await changeNote(turn, tools, note, rewrite);
  if (changed === 'changed') await turn.step();
  await turn.say(changed === 'changed' ? done : endings[changed]);
}

const endings: Readonly<Record<Exclude<Changed, 'changed'>, string>> = {
  same: 'Somebody has done it meanwhile; nothing is left to change.',
  planned: 'We are in plan mode, so I changed nothing. Switch to Ask or Edit and tell me again.',
  refused: 'All right, I leave the note as it is.',
  failed: 'The note could not be changed; it is as it was.',
};

function fenced(markdown: string): string {
  const longest = Math.max(2, ...(markdown.match(/`+/g) ?? []).map(({length}) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}markdown\n${markdown.trimEnd()}\n${fence}`;
}

function inWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
