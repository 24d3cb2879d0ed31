import {
  answerTime,
  durationOf,
  type Figures,
  serviceTime,
  waitTime,
} from '@balcao/contract/reports.rules.ts'
import type { ReportData } from '@balcao/contract/reports.ts'
import type { Letter } from '../../platform/outbound/letter.ts'
import { reportWords } from './reports.text.ts'

type Language = Letter['language']
type Named = { name: string }[]

interface Week {
  initialDate: string
  finalDate: string
  isLate: boolean
  queues: Named
  users: Named
  data: ReportData
  file: { type: string; text: string }
  /** Where figures are looked at, and where mails are stopped. */
  screen: string
}

const said = {
  ptBR: {
    subject: (period: string) => `Relatório da semana ${period}`,
    period: (period: string) => `Período: ${period}`,
    queues: (names: string) => `Filas: ${names || 'todas'}`,
    users: (names: string) => `Usuários: ${names || 'todos'}`,
    closed: 'Finalizados',
    answer: 'Primeira resposta',
    before: 'semana anterior',
    now: (pending: number, open: number) => `Agora: ${pending} aguardando, ${open} em atendimento.`,
    attached: 'A planilha anexa traz os números por usuário, fila, conexão, etiqueta e dia.',
    late: 'Este relatório chega atrasado: o servidor estava parado na hora dele. Os números são da semana acima.',
    end: 'Parar de receber este relatório',
    endHint: 'Para parar de receber, sem entrar, use este link:',
    stop: (screen: string) => `Para mudar os filtros, abra ${screen} e escolha Receber toda semana.`,
    endedSubject: 'O relatório semanal precisa de outros filtros',
    ended: 'Uma fila ou um usuário dos filtros do seu relatório semanal foi excluído.',
    choose: (screen: string) => `Para receber de novo, abra ${screen} e escolha Receber toda semana.`,
  },
  en: {
    subject: (period: string) => `Report of the week ${period}`,
    period: (period: string) => `Period: ${period}`,
    queues: (names: string) => `Queues: ${names || 'all'}`,
    users: (names: string) => `Users: ${names || 'all'}`,
    closed: 'Closed',
    answer: 'First answer',
    before: 'the week before',
    now: (pending: number, open: number) => `Now: ${pending} waiting, ${open} attended.`,
    attached: 'The attached sheet has the figures by user, queue, connection, tag and day.',
    late: 'This report comes late: the server was not running at its time. The figures are of the week above.',
    end: 'Stop receiving this report',
    endHint: 'To stop these e-mails, without logging in, use this link:',
    stop: (screen: string) => `To change the filters open ${screen} and choose Receive every week.`,
    endedSubject: 'The weekly report needs other filters',
    ended: 'A queue or a user of the filters of your weekly report was deleted.',
    choose: (screen: string) => `To receive it again open ${screen} and choose Receive every week.`,
  },
  es: {
    subject: (period: string) => `Informe de la semana ${period}`,
    period: (period: string) => `Período: ${period}`,
    queues: (names: string) => `Colas: ${names || 'todas'}`,
    users: (names: string) => `Usuarios: ${names || 'todos'}`,
    closed: 'Finalizados',
    answer: 'Primera respuesta',
    before: 'semana anterior',
    now: (pending: number, open: number) => `Ahora: ${pending} en espera, ${open} en atención.`,
    attached: 'La planilla adjunta trae los números por usuario, cola, conexión, etiqueta y día.',
    late: 'Este informe llega tarde: el servidor estaba detenido a su hora. Las cifras son de la semana de arriba.',
    end: 'Dejar de recibir este informe',
    endHint: 'Para dejar de recibirlo, sin entrar, use este enlace:',
    stop: (screen: string) => `Para cambiar los filtros, abra ${screen} y elija Recibir cada semana.`,
    endedSubject: 'El informe semanal necesita otros filtros',
    ended: 'Una cola o un usuario de los filtros de su informe semanal fue eliminado.',
    choose: (screen: string) => `Para recibirlo de nuevo, abra ${screen} y elija Recibir cada semana.`,
  },
}

/** The figures of a week in words, with all of them attached. */
export function weekLetter(
  language: Language,
  { initialDate, finalDate, isLate, queues, users, data, file, screen }: Week,
): Letter {
  const t = said[language]
  const period = `${shownDay(initialDate, language)} – ${shownDay(finalDate, language)}`
  const figure = (name: string, of: (figures: Figures) => string) =>
    `${name}: ${of(data.figures)} (${t.before}: ${of(data.before)})`
  return {
    language,
    subject: t.subject(period),
    before: [
      t.period(period),
      ...(isLate ? [t.late] : []),
      t.queues(listed(queues)),
      t.users(listed(users)),
      figure(t.closed, ({ closed }) => String(closed)),
      figure('TMA', of => durationOf(serviceTime(of))),
      figure('TME', of => durationOf(waitTime(of))),
      figure(t.answer, of => durationOf(answerTime(of))),
      t.now(data.countPending, data.countOpenGeneral),
      t.attached,
      t.stop(screen),
      t.endHint,
    ],
    button: t.end,
    after: [],
    file: { ...file, name: `${reportWords(language).name}-${initialDate}.csv` },
  }
}

/** Instead of a report whose filters name what was deleted. */
export function endedLetter(language: Language, screen: string): Letter {
  const { endedSubject, ended, choose, end, endHint } = said[language]
  return { language, subject: endedSubject, before: [ended, choose(screen), endHint], button: end, after: [] }
}

const listed = (rows: Named) => rows.map(({ name }) => name).join(', ')

/** A day as the language writes it: 31/01/2026, or 01/31/2026 in English. */
function shownDay(day: string, language: Language) {
  const [year, month, date] = day.split('-')
  return language === 'en' ? `${month}/${date}/${year}` : `${date}/${month}/${year}`
}
