import type { SessionCompany } from '@balcao/contract/companies.ts'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { notify } from '../platform/notify.tsx'
import { useMay, useUser } from '../platform/session.tsx'
import { texts } from '../platform/text.ts'
import { shownTime } from '../platform/time.ts'
import { soon } from '../ui/soon.tsx'
import classes from './account-banner.module.css'

const Choosers = soon(() => import('../features/companyLimits/choosers.tsx'))

const useText = texts({
  overdue: [
    'Fatura vencida: pague até {day} para não interromper o atendimento.',
    'Invoice overdue: pay by {day} so that the service is not interrupted.',
    'Factura vencida: pague hasta el {day} para no interrumpir la atención.',
  ],
  suspended: [
    'Atendimento suspenso: nenhuma mensagem sai até o pagamento da fatura vencida. As que chegam são guardadas.',
    'Service suspended: no message leaves until the overdue invoice is paid. Those that arrive are kept.',
    'Atención suspendida: ningún mensaje sale hasta el pago de la factura vencida. Los que llegan se guardan.',
  ],
  rests: [
    'O teste terminou: nenhuma mensagem sai até o plano ser contratado e pago. As que chegam são guardadas.',
    'The trial is over: no message leaves until the plan is taken up and paid. Those that arrive are kept.',
    'La prueba terminó: ningún mensaje sale hasta contratar y pagar el plan. Los que llegan se guardan.',
  ],
  paused: [
    'Atendimento em pausa até {day} ({reason}): nenhuma mensagem sai. As que chegam são guardadas.',
    'Service paused until {day} ({reason}): no message leaves. Those that arrive are kept.',
    'Atención en pausa hasta el {day} ({reason}): ningún mensaje sale. Los que llegan se guardan.',
  ],
  pausedOpen: [
    'Atendimento em pausa até segunda ordem ({reason}): nenhuma mensagem sai. As que chegam são guardadas.',
    'Service paused until further notice ({reason}): no message leaves. Those that arrive are kept.',
    'Atención en pausa hasta nuevo aviso ({reason}): ningún mensaje sale. Los que llegan se guardan.',
  ],
  others: [
    'Atendimento suspenso: as mensagens chegam, mas nenhuma sai. Fale com quem cuida dos pagamentos da empresa.',
    'Service suspended: messages arrive, but none leaves. Talk to whoever takes care of the company’s payments.',
    'Atención suspendida: los mensajes llegan, pero ninguno sale. Hable con quien se ocupa de los pagos de la empresa.',
  ],
  limits: [
    'A empresa tem mais do que o plano permite: escolha até {day} o que continua.',
    'The company has more than its plan allows: choose by {day} what goes on.',
    'La empresa tiene más de lo que el plan permite: elija hasta el {day} qué continúa.',
  ],
  limitsOthers: [
    'A empresa tem mais do que o plano permite: até {day} é escolhido o que continua.',
    'The company has more than its plan allows: by {day} it is chosen what goes on.',
    'La empresa tiene más de lo que el plan permite: hasta el {day} se elige qué continúa.',
  ],
  choose: ['Escolher', 'Choose', 'Elegir'],
  invoices: ['Ver faturas', 'See the invoices', 'Ver facturas'],
  back: [
    'Atendimento restabelecido: as mensagens voltaram a sair',
    'Service restored: messages leave again',
    'Atención restablecida: los mensajes vuelven a salir',
  ],
})

const pausedUntil = (
  { until, reason }: NonNullable<SessionCompany['servicePause']>,
  t: typeof useText.read,
) => (until ? t('paused', { day: shownTime(until).format('L'), reason }) : t('pausedOpen', { reason }))

/** What the company owes or exceeds, and once that it no longer does. */
export default function AccountNotice() {
  const t = useText()
  const { id, suspended, payBy, limitsBy, servicePause } = useUser().company
  const administers = useMay('administration')
  const pays = useMay('payPanel')
  const before = useRef(suspended)
  useEffect(() => {
    if (before.current && !suspended) notify.done(t('back'), { seconds: 10 })
    before.current = suspended
  }, [suspended, t])
  const words = servicePause
    ? pausedUntil(servicePause, t)
    : suspended
      ? t(pays ? (payBy ? 'suspended' : 'rests') : 'others')
      : payBy
        ? t('overdue', { day: shownTime(payBy).format('l') })
        : administers &&
          limitsBy &&
          t(pays ? 'limits' : 'limitsOthers', { day: shownTime(limitsBy).format('l') })
  if (!words) return null
  const Icon = suspended ? IconLock : IconAlertTriangle
  return (
    <div className={classes.banner} data-account={suspended ? 'suspended' : 'overdue'}>
      <Icon size={18} stroke={1.75} aria-hidden className={classes.icon} />
      <span>
        {words} {!pays && !suspended && !payBy && limitsBy && <Choosers companyId={id} />}
        {pays && <Link to="/clientCompanyManager">{t(suspended || payBy ? 'invoices' : 'choose')}</Link>}
      </span>
    </div>
  )
}
