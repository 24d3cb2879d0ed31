import type { Role } from '../../platform/app.ts'
import { repeat } from '../../platform/work/repeat.ts'
import { endSecretUses, writeSecretUses } from './secretUses.actions.ts'

const WRITTEN_MS = 2_000

/** Every process that answers programs writes what they called with. */
export const usesWritten: Role = {
  name: 'web',
  async start(platform) {
    const writing = repeat(WRITTEN_MS, () => writeSecretUses(platform), platform.log)
    return {
      async stop() {
        await writing.stop()
        await endSecretUses(platform).catch(error =>
          platform.log.warn({ err: error }, 'uses of secrets were lost'),
        )
      },
    }
  },
}
