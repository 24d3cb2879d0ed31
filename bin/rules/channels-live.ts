import type { Codebase, Rule } from './codebase.ts'
import { readContract } from './contract.ts'

/** A channel without a publisher is dead; one without a subscriber leaves a screen stale. */
export const channelsLive: Rule = {
  name: 'every channel is pushed and subscribed to',
  async find(house) {
    const { channels } = await readContract(house)
    return channels.flatMap(({ name, file }) => [
      ...(isNamedIn(house, 'server', name)
        ? []
        : [`${name} (${file}) is never pushed: say push(${name}, …) in a x.live.ts of the server`]),
      ...(isNamedIn(house, 'web', name)
        ? []
        : [`${name} (${file}) is never heard: say listen(${name}, …) in a x.live.ts of the web app`]),
    ])
  },
}

function isNamedIn({ sources }: Codebase, side: 'server' | 'web', channel: string) {
  // a side that does not exist yet is not checked
  if (!sources.some(({ path }) => path.startsWith(`apps/${side}/src/features/`))) return true
  // the channel of one row is named by its id: `campaignChannelOf(7)`
  const uses = new RegExp(`\\b(push|pushList|listen|followList)\\(\\s*${channel}(Of)?\\b`)
  return sources.some(
    ({ path, text }) => path.startsWith(`apps/${side}/src/`) && /\blive\.tsx?$/.test(path) && uses.test(text),
  )
}
