import type { CollectorName } from '@balcao/contract/collectors.ts'

/** The names of the providers, the same in every language. */
export const COLLECTOR_LABELS: Record<CollectorName, string> = {
  asaas: 'Asaas',
  mercadopago: 'Mercado Pago',
}
