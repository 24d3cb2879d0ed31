import { cloud } from '@balcao/contract/cloud.ts'
import { LRUCache } from 'lru-cache'
import { Refusal, refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { perProduct } from '../../platform/memory.ts'
import { cloudOf } from '../connections/connections.cloud.queries.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { fetchTemplates, GraphRefusal, GraphSilence, openGraph } from './cloud.client.ts'
import { templateOf } from './cloud.rules.ts'

/** Screens ask again and again; Meta counts every call. */
const KEPT_MS = 60_000
const KEPT_MOST = 500
type Templates = ReturnType<typeof templateOf>[]
const cacheOf = perProduct(
  () => new LRUCache<string, { token: string; templates: Templates }>({ max: KEPT_MOST, ttl: KEPT_MS }),
)

export const routes = [
  serve(cloud.templates, async (scope, { params: { whatsappId } }, { platform }) => {
    const row = await scope.read(async tx => {
      await findConnection(tx, whatsappId)
      return (await cloudOf(tx, whatsappId)) ?? refuse('ERR_WAPP_UNSUPPORTED')
    })
    const kept = cacheOf(scope)
    const key = `${scope.companyId} ${whatsappId}`
    const known = kept.get(key)
    if (known?.token === row.accessToken) return known.templates
    const graph = openGraph({
      url: platform.config.graphApiUrl,
      outboundAllow: platform.config.outboundAllow,
      token: platform.secrets.open(scope.companyId, row.accessToken),
    })
    try {
      const templates = (await fetchTemplates(graph, row.businessAccountId)).map(templateOf).sort(byName)
      kept.set(key, { token: row.accessToken, templates })
      return templates
    } catch (error) {
      throw asRefusal(error)
    } finally {
      void graph.close()
    }
  }),
]

function asRefusal(error: unknown) {
  if (error instanceof GraphRefusal)
    return new Refusal(
      error.status === 401 || error.code === 190 ? 'ERR_WAPP_CLOUD_TOKEN' : 'ERR_WAPP_CLOUD_CALL',
      {
        message: error.message,
      },
    )
  return error instanceof GraphSilence ? new Refusal('ERR_WAPP_CLOUD_CALL') : error
}

const byName = (a: Templates[number], b: Templates[number]) =>
  a.name.localeCompare(b.name) || a.language.localeCompare(b.language)
