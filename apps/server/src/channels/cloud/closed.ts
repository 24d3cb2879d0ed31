import type { ChannelSession } from '../../driver.ts'

/** Without settings nothing runs; an admin enters them and starts the connection again. */
export const closedSession: ChannelSession = {
  ready: () => false,
  send: async () => ({ is: 'unknown', reason: 'closed' }),
  act: async () => ({ is: 'unknown', reason: 'closed' }),
  download: async () => {
    throw new Error('closed')
  },
  markRead: async () => {},
  type: async () => {},
  close: async () => {},
}
