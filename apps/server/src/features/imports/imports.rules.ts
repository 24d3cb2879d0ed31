import type { OldMessage } from '../../driver.ts'

/** Which old messages a connection imports. */
export interface ImportWindow {
  from: string
  until: string
  groups: boolean
}

/** Whether an old message is one of those. */
export const isWithin = ({ from, until, groups }: ImportWindow, { at, chat }: OldMessage): boolean =>
  at >= from && at <= until && (groups || chat.kind !== 'group')
