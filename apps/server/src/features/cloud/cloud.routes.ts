import { cloud } from '@balcao/contract/cloud.ts'
import { Refusal, refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/routes.ts'
import { cloudOf } from '../connections/connections.cloud.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { GraphRefusal, GraphSilence, openGraph } from './cloud.graph.ts'
import { fetchTemplates, templateOf } from './cloud.templates.ts'

/** Screens ask again and again; Meta counts every call. */
const KEPT_MS = 60_000
const KEPT_MOST = 500
type Templates = ReturnType<typeof templateOf>[]
const kept = new Map<string, { token: string; until: number; templates: Templates }>()

export const routes = [
  serve(cloud.templates, async (scope, { params: { whatsappId } }, { platform }) => {
    const row = await scope.read(async tx => {
      await findConnection(tx, whatsappId)
      return (await cloudOf(tx, whatsappId)) ?? refuse('ERR_WAPP_UNSUPPORTED')
    })
    const key = `${platform.secrets.installation} ${scope.companyId} ${whatsappId}`
    const known = kept.get(key)
    if (known && known.token === row.accessToken && known.until > Date.now()) return known.templates
    const graph = openGraph({
      url: platform.config.graphApiUrl,
      token: platform.secrets.open(scope.companyId, row.accessToken),
    })
    try {
      const templates = (await fetchTemplates(graph, row.businessAccountId)).map(templateOf).sort(byName)
      if (kept.size >= KEPT_MOST) kept.clear()
      kept.set(key, { token: row.accessToken, until: Date.now() + KEPT_MS, templates })
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
