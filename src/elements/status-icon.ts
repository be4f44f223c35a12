/** Pictures for what becomes of a tool, an entry of a plan or a phase. They come with what draws turns. */
import type {TemplateResult} from 'lit';
import {icon, type IconName} from './icons.js';

/** The picture for a status of a tool, a plan entry or a phase. */
export function statusIcon(status: string | null): TemplateResult {
  return icon(
    status !== null && Object.hasOwn(statusIcons, status) ? (statusIcons[status] as IconName) : 'pending',
  );
}

const statusIcons: Record<string, IconName> = {
  running: 'running',
  in_progress: 'running',
  completed: 'completed',
  error: 'error',
  denied: 'error',
  cancelled: 'stopped',
  interrupted: 'stopped',
};
