import type { Letter } from '../../platform/outbound/letter.ts'

/** Notices to companies are Portuguese, as the templates of the others. */
export const suspendedLetter = (): Letter => ({
  language: 'ptBR',
  subject: 'Atendimento suspenso por fatura vencida',
  before: [
    'Olá.',
    'O atendimento da sua empresa foi suspenso: nenhuma mensagem sai até o pagamento. As que chegam são guardadas.',
    'Pague a fatura vencida em Minha empresa > Faturas. O atendimento volta em segundos depois do pagamento.',
  ],
  button: null,
  after: [],
})

export const pausedLetter = ({ reason, until }: { reason: string; until: string | null }): Letter => ({
  language: 'ptBR',
  subject: 'Atendimento em pausa',
  before: [
    'Olá.',
    `O atendimento da sua empresa está em pausa${until ? ` e volta em ${until.split('-').reverse().join('/')}` : ' até segunda ordem'}: nenhuma mensagem sai. As que chegam são guardadas.`,
    `Motivo: ${reason}`,
  ],
  button: null,
  after: [],
})

export const restoredLetter = (): Letter => ({
  language: 'ptBR',
  subject: 'Atendimento restabelecido',
  before: ['Olá.', 'O atendimento da sua empresa foi restabelecido: as mensagens voltaram a sair.'],
  button: null,
  after: [],
})
