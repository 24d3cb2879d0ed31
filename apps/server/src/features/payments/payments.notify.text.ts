import type { Letter } from '../../platform/outbound/letter.ts'

export const reviewLetter = (count: number): Letter => ({
  language: 'ptBR',
  subject: count === 1 ? 'Um recebimento a conferir' : `${count} recebimentos a conferir`,
  before: [
    count === 1
      ? 'Um recebimento espera por você em Recebimentos a conferir.'
      : `${count} recebimentos esperam por você em Recebimentos a conferir.`,
    'A tela diz de quem é, e por que espera.',
  ],
  button: null,
  after: [],
})
