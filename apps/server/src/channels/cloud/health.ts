import { type Graph, GraphRefusal } from '../../features/cloud/cloud.client.ts'
import type { CloudRow } from '../../features/connections/connections.rules.ts'

const FIELDS =
  'display_phone_number,verified_name,quality_rating,throughput,status,whatsapp_business_manager_messaging_limit'

interface Number {
  display_phone_number?: string
  verified_name?: string
  quality_rating?: string
  throughput?: { level?: string }
  whatsapp_business_manager_messaging_limit?: string
}

export interface Health {
  /** Digits of the number. */
  number: string
  learnt: Pick<CloudRow, 'name' | 'quality' | 'messagingLimit' | 'throughput'>
}

/** Meta's rating of a number. Throws what the call throws. */
export async function askHealth(graph: Graph, phoneNumberId: string): Promise<Health> {
  const found = await graph.get<Number>(phoneNumberId, { fields: FIELDS })
  return {
    number: (found.display_phone_number ?? '').replace(/\D/g, ''),
    learnt: {
      name: found.verified_name ?? '',
      quality: found.quality_rating ?? '',
      messagingLimit: found.whatsapp_business_manager_messaging_limit ?? '',
      throughput: found.throughput?.level ?? '',
    },
  }
}

/** When the token expires; null when it does not, or when Meta does not answer it. */
export async function askTokenEnd(graph: Graph, token: string): Promise<string | null> {
  try {
    const { data } = await graph.get<{ data?: { expires_at?: number } }>('debug_token', {
      input_token: token,
    })
    const end = data?.expires_at ?? 0
    return end > 0 ? new Date(end * 1000).toISOString() : null
  } catch (error) {
    if (error instanceof GraphRefusal) return null
    throw error
  }
}
