import type { CollectorName } from '@balcao/contract/collectors.ts'
import type { BillingType } from '@balcao/contract/plans.ts'
import type { z } from 'zod'
import type { Config } from '../platform/config.ts'
import type { Outside } from '../platform/outbound/outbound.ts'
import { openAsaas } from './asaas.ts'
import { openMercadoPago } from './mercadopago.ts'
import type { PaymentProvider, ProviderAccount } from './payments.ts'

interface Driver {
  open(account: ProviderAccount, outbound: Pick<Outside, 'fetchOutside'>): PaymentProvider
  /** Its account as far as the server’s variables name it. */
  account(config: Config): ProviderAccount
  billingTypes: z.infer<typeof BillingType>[]
}

/** Every provider there is a driver for. */
export const providers: Record<CollectorName, Driver> = {
  asaas: {
    open: openAsaas,
    account: config => ({
      url: config.asaasUrl,
      token: config.asaasToken,
      webhookSecret: config.asaasWebhookToken,
    }),
    billingTypes: ['PIX', 'BOLETO', 'CREDIT_CARD'],
  },
  mercadopago: {
    open: openMercadoPago,
    account: config => ({ url: config.mercadopagoUrl, token: null, webhookSecret: null }),
    billingTypes: ['PIX', 'BOLETO'],
  },
}

/** The provider that the server’s variables have a token of; null for none. */
export function providerOfServer(config: Config): CollectorName | null {
  const names = Object.keys(providers) as CollectorName[]
  return names.find(name => providers[name].account(config).token !== null) ?? null
}
