import assert from 'node:assert/strict';
import {test} from 'node:test';
import {childEnvironment} from '../../../../src/gateway/agent/child-environment.js';

const plain = {env: {}, apiKeyEnv: null};

test('an agent gets what it needs of our environment and nothing else', () => {
  const ours = {
    PATH: '/bin',
    HOME: '/home/reader',
    LC_ALL: 'de_DE.UTF-8',
    XDG_CONFIG_HOME: '/c',
    HTTPS_PROXY: 'http://proxy',
    HERMES_HOME: '/h',
    AWS_SECRET_ACCESS_KEY: 'no',
    NODE_OPTIONS: '--inspect',
    HERMES_TOKEN: 'no',
    LANG: undefined,
  };
  assert.deepEqual(Object.keys(childEnvironment(ours, plain, 'linux')).sort(), [
    ...['HERMES_HOME', 'HOME', 'HTTPS_PROXY', 'LC_ALL', 'PATH', 'XDG_CONFIG_HOME'],
  ]);
});

test("a profile's variables stand over ours, and its key is passed by name", () => {
  const profile = {env: {PATH: '/opt/bin', OPENCODE_DISABLE_AUTOUPDATE: '1'}, apiKeyEnv: 'DEEPSEEK_API_KEY'};
  const ours = {PATH: '/bin', DEEPSEEK_API_KEY: 'k', OTHER_API_KEY: 'o'};
  assert.deepEqual(childEnvironment(ours, profile, 'linux'), {
    PATH: '/opt/bin',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    DEEPSEEK_API_KEY: 'k',
  });
});

test('a key that is nowhere is no variable', () => {
  assert.deepEqual(childEnvironment({}, {env: {}, apiKeyEnv: 'KEY'}, 'linux'), {});
});

test('Windows keeps its own, in any case', () => {
  const ours = {Path: 'C:\\', SYSTEMROOT: 'C:\\Windows', SECRET: 'no'};
  assert.deepEqual(childEnvironment(ours, plain, 'win32'), {Path: 'C:\\', SYSTEMROOT: 'C:\\Windows'});
  assert.deepEqual(childEnvironment(ours, plain, 'linux'), {});
});
