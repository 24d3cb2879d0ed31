import { cloud } from '@balcao/contract/cloud.ts'
import { connections } from '@balcao/contract/connections.ts'
import { LRUCache } from 'lru-cache'
import { Refusal, refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import { perProduct } from '../../platform/memory.ts'
import { viewerOf } from '../../platform/scope.ts'
import { askPlan } from '../companies/companies.queries.ts'
import { cloudOf } from '../connections/connections.cloud.queries.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { codesShownTo } from '../connections/connections.rules.ts'
import { rangeIn } from '../reports/reports.range.queries.ts'
import { fetchTemplates, GraphRefusal, GraphSilence, openGraph } from './cloud.client.ts'
import { priceSums } from './cloud.prices.queries.ts'
import { templateOf } from './cloud.rules.ts'
import { connectSignedUp, numberToConnect } from './cloud.signup.actions.ts'
import { finishSignUp } from './cloud.signup.client.ts'

/** Screens ask again and again; Meta counts every call. */
const KEPT_MS = 60_000
const KEPT_MOST = 500
type Templates = ReturnType<typeof templateOf>[]
const cacheOf = perProduct(
  () => new LRUCache<string, { token: string; templates: Templates }>({ max: KEPT_MOST, ttl: KEPT_MS }),
)

export const routes = [
  serve(connections.signUp, async (scope, { body }, { platform: { config, scopes, secrets } }) => {
    const choose = (phoneNumberIds: string[]) => numberToConnect({ scope, scopes }, phoneNumberIds)
    const signedUp = await finishSignUp(config, body, choose)
    const appSecret = config.metaAppSecret!
    const { importsHistory } = body
    const connection = await connectSignedUp(scope, signedUp, { appSecret, importsHistory, secrets })
    return codesShownTo(viewerOf(scope), secrets, connection)
  }),
  serve(cloud.prices, (scope, { query }) =>
    scope.read(async tx => {
      await askPlan(tx, 'enableReports')
      return { sums: await priceSums(tx, await rangeIn(tx, query)) }
    }),
  ),
  serve(cloud.templates, async (scope, { params: { whatsappId } }, { platform }) => {
    const row = await scope.read(async tx => {
      await findConnection(tx, whatsappId)
      return (await cloudOf(tx, whatsappId)) ?? refuse('ERR_WAPP_UNSUPPORTED')
    })
    if (!row.accessToken) return refuse('ERR_WAPP_CLOUD_TOKEN')
    const kept = cacheOf(scope)
    const key = `${scope.companyId} ${whatsappId}`
    const known = kept.get(key)
    if (known?.token === row.accessToken) return known.templates
    const graph = openGraph({
      url: platform.config.graphApiUrl,
      outboundAllow: platform.config.outboundAllow,
      drill: platform.config.drill,
      token: platform.secrets.open(scope.companyId, row.accessToken),
      ...{ calls: platform.outbound.calls, companyId: scope.companyId },
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
