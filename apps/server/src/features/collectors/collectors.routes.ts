import { collectors } from '@balcao/contract/collectors.ts'
import { ProviderRefused } from '../../payments/payments.ts'
import type { Platform } from '../../platform/app.ts'
import { databaseDate } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { changeCollector, saveCollector, shownCollectors } from './collectors.actions.ts'
import { openCollectors } from './collectors.client.ts'

const shown = async ({ scopes, config }: Platform) => ({
  collectors: await shownCollectors(scopes.platform(), config),
})

export const routes = [
  serve(collectors.list, (_scope, _input, { platform }) => shown(platform)),
  serve(collectors.save, async ({ companyId }, { params, body }, { platform }) => {
    await saveCollector(platform.scopes.platform(), platform.secrets, { companyId, ...params, ...body })
    platform.log.info({ collector: params.name }, 'a master changed the account of a payment provider')
    return shown(platform)
  }),
  serve(collectors.choose, async (_scope, { body }, { platform }) => {
    await changeCollector(platform.scopes.platform(), platform.config, body.name)
    platform.log.info({ collector: body.name }, 'a master chose the provider that collects')
    return shown(platform)
  }),
  serve(collectors.test, async (_scope, { params }, { platform }) => {
    const provider = (await openCollectors(platform)).of(params.name)
    if (!provider) return refuse('ERR_COLLECTOR_UNSET')
    try {
      await provider.list(databaseDate().toISOString().slice(0, 10), null)
      return { problem: '' }
    } catch (error) {
      if (error instanceof ProviderRefused) return { problem: error.message }
      throw error
    }
  }),
]
