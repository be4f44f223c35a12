/** Profiles: what can be configured, how mistakes are named, and how programs are found. */
import assert from 'node:assert/strict';
import {chmod, mkdir, mkdtemp, rm, symlink, writeFile} from 'node:fs/promises';
import {createServer as createHttpServer} from 'node:http';
import {createServer, type AddressInfo} from 'node:net';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import type {Machine} from '../../../../src/gateway/profiles/machine.js';
import {ConfigError, readProfileConfig} from '../../../../src/gateway/profiles/profile-config.js';
import {Profiles} from '../../../../src/gateway/profiles/profiles.js';

let folder: string;
let now = 0;
const clock = {now: () => now, setTimeout: () => null, clearTimeout: () => undefined};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-profiles-'));
});
after(() => rm(folder, {recursive: true}));

function machine(env: Record<string, string> = {}, more: Partial<Machine> = {}): Machine {
  const paths = {nodePath: process.execPath, home: '/home/user', cwd: '/somewhere'};
  return {platform: 'linux', arch: 'x64', ...paths, env, ...more};
}

function read(file: unknown, env: Record<string, string> = {}) {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  return readProfileConfig({
    file: file === null ? null : {text, name: 'hermes.json', folder: '/etc/hermes'},
    cwdRoots: ['/data/work'],
    machine: machine(env),
  });
}

const namesOf = ({profiles}: ReturnType<typeof read>) => profiles.map(({name}) => name);

test('without a file there are the built-in profiles, and the demo is the default', () => {
  const config = read(null);
  assert.deepEqual(namesOf(config), ['demo', 'hermes', 'reasonix']);
  assert.equal(config.defaultProfile, 'demo');
  const {bin, args, cwdRoots, policy} = config.profiles[1]!;
  assert.deepEqual(
    {bin, args, cwdRoots, policy},
    {
      ...{bin: 'hermes', args: ['acp'], policy: 'ask'},
      cwdRoots: ['/data/work'],
    },
  );
});

test('the file comes first, fills in what it leaves out, and replaces what is built in', () => {
  const config = read({
    cwdRoots: ['~/notes'],
    profiles: [
      {name: 'mine', bin: './agent', cwdRoots: ['work', '/abs'], timeouts: {permission: null}},
      {name: 'reasonix', policy: 'allow-reads', models: ['a', 'b'], defaultModel: 'b'},
      {name: 'far', connect: {port: 7000}},
    ],
  });
  assert.deepEqual(namesOf(config), ['mine', 'reasonix', 'far', 'demo', 'hermes']);
  assert.equal(config.defaultProfile, 'mine');
  const [mine, reasonix, far, demo] = config.profiles;
  assert.equal(mine!.runtimeType, 'generic');
  assert.equal(mine!.bin, '/etc/hermes/agent');
  assert.deepEqual(mine!.cwdRoots, ['/etc/hermes/work', '/abs']);
  assert.equal(mine!.timeouts.permission, null);
  assert.equal(mine!.timeouts.cancel, 5000);
  assert.equal(reasonix!.runtimeType, 'reasonix');
  assert.deepEqual([reasonix!.bin, reasonix!.args, reasonix!.policy], ['reasonix', ['acp'], 'allow-reads']);
  assert.deepEqual(far!.connect, {host: '127.0.0.1', port: 7000});
  assert.deepEqual(demo!.cwdRoots, ['/home/user/notes']);
});

test('the environment says which profiles are offered, by names or by JSON', () => {
  const named = read(null, {
    MNOTE_WEB_ACP_RUNTIMES: 'reasonix, demo',
    MNOTE_WEB_ACP_DEFAULT_RUNTIME: 'reasonix',
  });
  assert.deepEqual(namesOf(named), ['reasonix', 'demo']);
  assert.equal(named.defaultProfile, 'reasonix');
  const json = read(null, {MNOTE_WEB_ACP_RUNTIMES: '["hermes",{"name":"mine","bin":"mine-acp"}]'});
  assert.deepEqual(namesOf(json), ['hermes', 'mine']);
  assert.equal(json.profiles[1]!.bin, 'mine-acp');
});

test('the address of Hermes Agent brings a profile for it', () => {
  const {profiles} = read(null, {MNOTE_WEB_HERMES_UPSTREAM_URL: 'http://127.0.0.1:8642'});
  const {runtimeType, upstreamUrl} = profiles.at(-1)!;
  assert.deepEqual(
    {runtimeType, upstreamUrl},
    {
      runtimeType: 'hermes_http',
      upstreamUrl: 'http://127.0.0.1:8642',
    },
  );
});

const mistakes: readonly (readonly [string, unknown, Record<string, string>, RegExp])[] = [
  ['no JSON', '{', {}, /^hermes\.json is not JSON/],
  ['an unknown key', {profile: []}, {}, /^hermes\.json: .*"profile"/],
  ['an unknown field', {profiles: [{name: 'a', binary: 'b'}]}, {}, /profiles\.0: .*"binary"/],
  ['a policy nobody knows', {profiles: [{name: 'a', policy: 'yolo'}]}, {}, /profiles\.0\.policy: .*"ask"/],
  ['a nameless profile', {profiles: [{}]}, {}, /profiles\.0\.name/],
  ['a name with spaces', {profiles: [{name: 'a b'}]}, {}, /profiles\.0\.name: expected letters/],
  ['a name twice', {profiles: [{name: 'a'}, {name: 'a'}]}, {}, /profiles\.1\.name: a stands there twice/],
  [
    'a default that is not there',
    {defaultProfile: 'x'},
    {},
    /defaultProfile: there is no profile x; there is demo/,
  ],
  [
    'a half address',
    {profiles: [{name: 'a', connect: {host: 'b'}}]},
    {},
    /profiles\.0\.connect: expected \{"port"/,
  ],
  ['a time that is no number', {profiles: [{name: 'a', timeouts: {idle: '5s'}}]}, {}, /timeouts\.idle/],
  ['a key in the file', {profiles: [{name: 'a', apiKeyEnv: 'sk-123'}]}, {}, /apiKeyEnv: expected the name/],
  [
    'an unknown runtime',
    null,
    {MNOTE_WEB_ACP_RUNTIMES: 'demo,x'},
    /^MNOTE_WEB_ACP_RUNTIMES: there is no profile x/,
  ],
  ['a broken list', null, {MNOTE_WEB_ACP_RUNTIMES: '[demo]'}, /^MNOTE_WEB_ACP_RUNTIMES is not JSON/],
  ['an unknown default', null, {MNOTE_WEB_ACP_DEFAULT_RUNTIME: 'x'}, /^MNOTE_WEB_ACP_DEFAULT_RUNTIME: /],
  ['no address', null, {MNOTE_WEB_HERMES_UPSTREAM_URL: 'hermes'}, /^MNOTE_WEB_HERMES_UPSTREAM_URL: expected/],
];

for (const [what, file, env, sentence] of mistakes) {
  test(`${what} is named with its place`, () => {
    assert.throws(
      () => read(file, env),
      (error) => error instanceof ConfigError && sentence.test(error.message) && error.message.endsWith('.'),
    );
  });
}

function registry(file: unknown, given: Machine): Profiles {
  const text = JSON.stringify(file);
  const config = readProfileConfig({
    file: {text, name: 'hermes.json', folder},
    cwdRoots: [folder],
    machine: given,
  });
  return new Profiles(config, given, clock);
}

async function program(path: string): Promise<string> {
  await mkdir(join(folder, path, '..'), {recursive: true});
  await writeFile(join(folder, path), '#!/bin/sh\n');
  await chmod(join(folder, path), 0o755);
  return join(folder, path);
}

test('a program is found on the path, or missing with what to do, and looked for again', async () => {
  const profiles = registry({profiles: []}, machine({PATH: `:relative:${join(folder, 'late')}`}));
  const hermes = profiles.get('hermes');
  const missing = await profiles.locate(hermes);
  assert.equal(missing.available, false);
  assert.match(missing.reason, /^The program hermes was not found .* Install Hermes Agent/);
  const command = await program('late/hermes');
  assert.equal(
    (await profiles.locate(hermes)).available,
    false,
    'a moment later the disk is not asked again',
  );
  now += 3000;
  assert.deepEqual((await profiles.locate(hermes)).place, {command, args: ['acp']});
});

test('a missing program is told without the paths of this machine', async () => {
  const profiles = registry({profiles: [{name: 'mine', bin: './none/agent'}]}, machine());
  const {reason} = await profiles.locate(profiles.get('mine'));
  assert.match(reason!, /^The program of mine was not found/);
  assert.doesNotMatch(reason!, /none|tmp/);
});

test('of reasonix the binary is taken, not the launcher that keeps signals to itself', async () => {
  const launcher = await program('lib/node_modules/reasonix/bin/reasonix.js');
  await mkdir(join(folder, 'bin'));
  await symlink(launcher, join(folder, 'bin/reasonix'));
  const given = machine({PATH: join(folder, 'bin')}, {arch: 'test'});
  const without = registry({profiles: []}, given);
  assert.deepEqual((await without.locate(without.get('reasonix'))).place, {
    command: join(folder, 'bin/reasonix'),
    args: ['acp'],
  });
  const command = await program('lib/node_modules/@reasonix/cli-linux-test/bin/reasonix');
  const beside = registry({profiles: []}, given);
  assert.deepEqual((await beside.locate(beside.get('reasonix'))).place, {command, args: ['acp']});
});

test('the reasonix of this package is found without any path', async () => {
  const {platform, arch} = process;
  const profiles = registry({profiles: []}, machine({}, {platform, arch}));
  const {place} = await profiles.locate(profiles.get('reasonix'));
  assert.ok(place && 'command' in place);
  assert.match(place.command, /cli-\w+-\w+[\\/]bin[\\/]reasonix/);
});

test('a key that is not set makes a profile unavailable, and is named only by its variable', async () => {
  const file = {profiles: [{name: 'reasonix', apiKeyEnv: 'SOME_KEY'}]};
  const without = registry(file, machine());
  assert.match((await without.locate(without.get('reasonix'))).reason!, /needs its key in SOME_KEY/);
  const {platform, arch} = process;
  const set = registry(file, machine({SOME_KEY: 'secret'}, {platform, arch}));
  assert.equal((await set.locate(set.get('reasonix'))).available, true);
});

test('an agent that listens is there while something answers at its address', async () => {
  const path = join(folder, 'agent.sock');
  const server = createServer((socket) => socket.resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const {port} = server.address() as AddressInfo;
  const file = {
    profiles: [
      {name: 'far', connect: {path}},
      {name: 'tcp', connect: {port}},
      {name: 'nowhere', connect: {host: 'nowhere.invalid', port}},
    ],
  };
  const profiles = registry(file, machine());
  const placeOf = async (name: string) => (await profiles.locate(profiles.get(name))).place;
  const reasonOf = async (name: string) => (await profiles.locate(profiles.get(name))).reason;
  assert.match((await reasonOf('far'))!, /^Nothing listens at the address of far\. Start the agent/);
  assert.deepEqual(await placeOf('tcp'), {connect: {host: '127.0.0.1', port}});
  server.close();
  await once(server.listen(path), 'listening');
  now += 3000;
  assert.deepEqual(await placeOf('far'), {connect: {path}});
  assert.match((await reasonOf('tcp'))!, /^Nothing listens at the address of tcp\./);
  server.close();
  // A file that a dead agent left is no agent.
  await writeFile(path, '');
  now += 3000;
  assert.match((await reasonOf('far'))!, /^Nothing listens/);
});

test('reasonix without a file that names a model is missing it, and can be tried all the same', async () => {
  const home = join(folder, 'home');
  const {platform, arch} = process;
  const given = machine({HOME: home}, {platform, arch});
  const profiles = registry({profiles: [{name: 'writer', runtimeType: 'reasonix'}]}, given);
  const look = () => profiles.locate(profiles.get('writer'));
  const {available, place, reason} = await look();
  assert.equal(available, false);
  assert.match(reason, /^writer has no model yet\. Run "reasonix setup"/);
  assert.ok(place && 'command' in place);
  for (const file of ['home/.reasonix/config.toml', 'reasonix.toml']) {
    await mkdir(join(folder, file, '..'), {recursive: true});
    await writeFile(join(folder, file), '');
    now += 3000;
    assert.equal((await look()).available, true, file);
    await rm(join(folder, file));
    now += 3000;
    assert.equal((await look()).available, false);
  }
  const elsewhere = {name: 'writer', runtimeType: 'reasonix', env: {REASONIX_HOME: folder}};
  await writeFile(join(folder, 'config.toml'), '');
  const own = registry({profiles: [elsewhere]}, given);
  assert.equal((await own.locate(own.get('writer'))).available, true);
});

test('Hermes over HTTP is there when something answers at its address; nothing is asked of it', async () => {
  const asked: string[] = [];
  const server = createHttpServer(({method, url}, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const {port} = server.address() as AddressInfo;
  const upstreamUrl = `http://127.0.0.1:${port}/p/work/v1/`;
  const given = machine({MNOTE_WEB_HERMES_UPSTREAM_URL: upstreamUrl, API_SERVER_KEY: 'k'});
  const profiles = registry({profiles: [{name: 'bare', runtimeType: 'hermes_http'}]}, given);
  const profile = profiles.get('hermes_http');
  assert.equal(profile.apiKeyEnv, 'API_SERVER_KEY');
  assert.deepEqual([profile.timeouts.cancel, profile.timeouts.grace], [10_000, 300]);
  assert.deepEqual((await profiles.locate(profile)).place, {upstreamUrl});
  assert.deepEqual(asked, ['GET /p/work/health']);
  server.close();
  server.closeAllConnections();
  now += 3000;
  assert.match((await profiles.locate(profile)).reason!, /does not answer at the address of hermes_http/);
  assert.match((await profiles.locate(profiles.get('bare'))).reason!, /Set "upstreamUrl"/);
});

test('the active profile is the choice of each subject', async () => {
  const profiles = registry({profiles: []}, machine());
  await profiles.select('ann', 'reasonix');
  assert.equal(profiles.active('ann').name, 'reasonix');
  assert.equal(profiles.active('ben').name, 'demo');
  await assert.rejects(profiles.select('ben', 'none'), {code: 'profile-missing'});
});
