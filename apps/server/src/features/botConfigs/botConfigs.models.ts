import { SUGGESTED_MODELS } from '@balcao/contract/botConfigs.rules.ts'
import type { ModelFailure, OfferedModel } from '@balcao/contract/integrations.ts'
import type { Platform } from '../../platform/app.ts'
import { endpointFor, modelsOf } from '../integrations/integrations.endpoint.ts'

/** Models to choose from: the documents' own first, then what the integration offers besides. */
export async function offeredModels(
  platform: Platform,
  companyId: number,
): Promise<{ models: OfferedModel[]; failure: ModelFailure | null }> {
  const endpoint = await endpointFor(platform, companyId)
  if (!endpoint) return { models: SUGGESTED_MODELS, failure: 'none' }
  const found = await modelsOf(platform.outbound, endpoint)
  if ('failure' in found) return { models: SUGGESTED_MODELS, failure: found.failure }
  const names = new Set(SUGGESTED_MODELS.map(({ id }) => id))
  return { models: [...SUGGESTED_MODELS, ...found.models.filter(({ id }) => !names.has(id))], failure: null }
}
