/** The profiles of a gateway: what was configured, who chose which, and what is there of it now. */
import type {Clock} from '../clock.js';
import {GatewayError} from '../gateway-error.js';
import {findAgent} from './built-in.js';
import {ChosenProfiles} from './chosen-profiles.js';
import type {Machine} from './machine.js';
import type {Profile} from './profile.js';
import type {ProfileConfig} from './profile-config.js';
import type {Availability, ProfileRegistry} from './profile-registry.js';

/** How long a look at the disk is believed, in ms. */
const BELIEVED = 3000;

export class Profiles implements ProfileRegistry {
  readonly profiles: readonly Profile[];
  readonly #default: Profile;
  readonly #machine: Machine;
  readonly #clock: Clock;
  readonly #chosen: ChosenProfiles;
  readonly #looks = new Map<Profile, {readonly at: number; readonly found: Promise<Availability>}>();

  constructor(
    {profiles, defaultProfile}: ProfileConfig,
    machine: Machine,
    clock: Clock,
    chosen = new ChosenProfiles(),
  ) {
    this.#chosen = chosen;
    this.profiles = profiles;
    this.#machine = machine;
    this.#clock = clock;
    this.#default = this.get(defaultProfile);
  }

  /** What new sessions get where nobody has chosen. */
  get default(): Profile {
    return this.#default;
  }

  get(name: string): Profile {
    const profile = this.profiles.find((each) => each.name === name);
    if (profile) return profile;
    const known = this.profiles.map((each) => each.name).join(', ');
    throw new GatewayError('profile-missing', `There is no profile ${name}. Choose one of ${known}.`, {
      profile: name,
    });
  }

  active(subject: string): Profile {
    const chosen = this.#chosen.of(subject);
    // One that is no longer configured is no choice, but may be again.
    return this.profiles.find(({name}) => name === chosen) ?? this.#default;
  }

  async select(subject: string, name: string): Promise<Profile> {
    const profile = this.get(name);
    await this.#chosen.choose(subject, name);
    return profile;
  }

  locate(profile: Profile): Promise<Availability> {
    const now = this.#clock.now();
    const known = this.#looks.get(profile);
    if (known && now - known.at < BELIEVED) return known.found;
    const found = findAgent(profile, this.#machine);
    this.#looks.set(profile, {at: now, found});
    return found;
  }
}
