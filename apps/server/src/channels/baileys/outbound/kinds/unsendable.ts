import { Refused, sentKind } from './kind.ts'

/** What could be relayed raw is not shown by every phone: half a message is worse than none. */
export const choicesKind = sentKind<'choices'>(() => {
  throw new Refused('ERR_WAPP_UNSUPPORTED')
})

/** Approved templates exist on the official API only. */
export const sentTemplate = sentKind<'template'>(() => {
  throw new Refused('ERR_SENDING_WAPP_MSG')
})
