import { sentKind } from './kind.ts'

/** Its secret is that of every own message (`ownSecret`): votes are read by it without a row (`inbound/sealed-answers.ts`). */
export const sentPoll = sentKind<'poll'>(
  (name, { options, isMultiple }) => ({
    poll: { name, values: options, selectableCount: isMultiple ? 0 : 1 },
  }),
  [{ tag: 'meta', attrs: { polltype: 'creation' } }],
)
