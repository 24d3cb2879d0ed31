import { percentOf } from '@balcao/contract/pricing.rules.ts'
import type { Letter } from '../../platform/outbound/letter.ts'

interface Announced {
  planName: string
  rate: number
  from: string
  reason: string
}

/** Notices to companies are Portuguese, as the templates of the others. */
export function readjustmentLetter({ planName, rate, from, reason }: Announced): Letter {
  const day = from.split('-').toReversed().join('/')
  return {
    language: 'ptBR',
    subject: `Reajuste da sua assinatura a partir de ${day}`,
    before: [
      'Olá.',
      `O preço do plano ${planName} será reajustado em ${percentOf(rate)} % (${reason}).`,
      `O novo preço vale para o primeiro período que começar a partir de ${day}. Faturas de períodos anteriores não mudam.`,
    ],
    button: null,
    after: [],
  }
}
