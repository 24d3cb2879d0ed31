import type { ExportLanguage } from '@balcao/contract/tickets.ts'

type Said = [pt: string, en: string, es: string]

const words = {
  name: ['relatorio', 'report', 'informe'],
  general: ['Geral', 'General', 'General'],
  period: ['Período', 'Period', 'Período'],
  before: ['Período anterior', 'Period before', 'Período anterior'],
  user: ['Usuário', 'User', 'Usuario'],
  queue: ['Fila', 'Queue', 'Cola'],
  connection: ['Conexão', 'Connection', 'Conexión'],
  tag: ['Etiqueta', 'Tag', 'Etiqueta'],
  day: ['Dia', 'Day', 'Día'],
  none: ['Nenhum', 'None', 'Ninguno'],
  gone: ['Excluído', 'Deleted', 'Eliminado'],
} satisfies Record<string, Said>

const figures: Said[] = [
  ['Seção', 'Section', 'Sección'],
  ['Nome', 'Name', 'Nombre'],
  ['Finalizados', 'Closed', 'Finalizados'],
  ['TMA (s)', 'TMA (s)', 'TMA (s)'],
  ['TME (s)', 'TME (s)', 'TME (s)'],
  ['Primeira resposta (s)', 'First answer (s)', 'Primera respuesta (s)'],
  ['Tempo total de atendimento (s)', 'Total service time (s)', 'Tiempo total de atención (s)'],
  ['Tempo total de espera (s)', 'Total wait time (s)', 'Tiempo total de espera (s)'],
]

const services: Said[] = [
  ['Protocolo', 'Protocol', 'Protocolo'],
  ['Contato', 'Contact', 'Contacto'],
  words.user,
  words.queue,
  words.connection,
  ['Início', 'Began', 'Inicio'],
  ['Finalizado em', 'Closed', 'Finalizado el'],
  ['Espera (s)', 'Wait (s)', 'Espera (s)'],
  ['Primeira resposta (s)', 'First answer (s)', 'Primera respuesta (s)'],
  ['Atendimento (s)', 'Service (s)', 'Atención (s)'],
]

const reasons: Said[] = [
  ['Motivo do encerramento', 'Closing reason', 'Motivo del cierre'],
  ['Finalizados', 'Closed', 'Finalizados'],
  ['%', '%', '%'],
  ['Duração média (s)', 'Mean duration (s)', 'Duración media (s)'],
]

/** What a file of a report says besides its figures. */
export function reportWords(language: ExportLanguage) {
  const at = { ptBR: 0, en: 1, es: 2 }[language]
  const said = Object.fromEntries(Object.entries(words).map(([key, all]) => [key, all[at]!]))
  const headOf = (columns: Said[]) => columns.map(all => all[at]!)
  const heads = { figures: headOf(figures), services: headOf(services), reasons: headOf(reasons) }
  return { ...(said as Record<keyof typeof words, string>), ...heads }
}
