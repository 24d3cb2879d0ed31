import type { Letter } from '../../platform/outbound/letter.ts'
import type { backups } from './backups.table.ts'

type Drill = typeof backups.$inferSelect

const size = (bytes: number) =>
  `${(bytes / 1_048_576).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} MB`

/** What the weekly drill found, for whoever operates the installation. */
export function drillLetter(
  { state, place, begunAt, endedAt, bytes, found }: Drill,
  backendUrl: string,
): Letter {
  const isFine = state === 'verified'
  const minutes = Math.max(1, Math.round((Date.parse(endedAt ?? begunAt) - Date.parse(begunAt)) / 60_000))
  return {
    language: 'ptBR',
    subject: isFine
      ? 'Exercício de restauração: o backup funciona'
      : 'Exercício de restauração: o backup NÃO funcionou',
    before: [
      isFine
        ? `O backup mais novo de ${place} foi restaurado e iniciado em ${minutes} min (${size(bytes)}).`
        : `O backup mais novo de ${place} não pôde ser restaurado e iniciado.`,
      ...(found ? [found] : []),
      isFine
        ? 'O próximo exercício é em uma semana.'
        : 'O exercício é repetido a cada seis horas. Até que dê certo, não conte com este backup.',
    ],
    button: null,
    after: backendUrl ? [backendUrl] : [],
  }
}
