import type { delivered } from '@balcao/contract/deliveries.ts'
import { Button } from '@mantine/core'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { texts } from '../platform/text.ts'
import { clock } from '../platform/time.ts'
import { CopiedField } from './copied-field.tsx'
import classes from './delivered.module.css'
import { Status, type Tone } from './status.tsx'

export const useDeliveredText = texts({
  waiting: ['Aguardando', 'Waiting', 'En espera'],
  done: ['Entregue', 'Delivered', 'Entregada'],
  failed: ['Falhou', 'Failed', 'Falló'],
  answered: ['Respondeu {status}', 'Answered {status}', 'Respondió {status}'],
  tries_one: ['{count} tentativa', '{count} try', '{count} intento'],
  tries: ['{count} tentativas', '{count} tries', '{count} intentos'],
  underWay: ['em andamento', 'under way', 'en curso'],
  next: ['a próxima às {at}', 'the next at {at}', 'el próximo a las {at}'],
  forbidden: [
    'O endereço é de uma rede privada e não pode ser chamado',
    'The address is in a private network and may not be called',
    'La dirección es de una red privada y no se puede llamar',
  ],
  timeout: ['Não respondeu a tempo', 'It did not answer in time', 'No respondió a tiempo'],
  'too-large': ['A resposta é grande demais', 'The answer is too large', 'La respuesta es demasiado grande'],
  redirects: ['Redireciona vezes demais', 'It redirects too often', 'Redirige demasiadas veces'],
  unreachable: [
    'Ninguém responde neste endereço',
    'Nobody answers at this address',
    'Nadie responde en esta dirección',
  ],
  body: ['O que foi enviado', 'What was sent', 'Lo que se envió'],
  at: ['Quando', 'When', 'Cuándo'],
  outcome: ['Resultado', 'Outcome', 'Resultado'],
  secret: ['Segredo da assinatura', 'Signing secret', 'Secreto de la firma'],
  showSecret: ['Mostrar o segredo', 'Show the secret', 'Mostrar el secreto'],
})

/** State of a delivery to another system. */
type Delivered = { [Name in keyof typeof delivered]: z.infer<(typeof delivered)[Name]> }

export const deliveredAt = ({ createdAt }: Pick<Delivered, 'createdAt'>) => clock(createdAt).format('L LTS')

/** The last answer of the other system, or why there was none; empty before the first attempt. */
export function useAnswer() {
  const t = useDeliveredText()
  return ({ status, error }: Pick<Delivered, 'status' | 'error'>) =>
    status !== null ? t('answered', { status }) : error ? t(error) : ''
}

const tones: Record<Delivered['state'], Tone> = { waiting: 'warning', done: 'success', failed: 'error' }

/** Whether it arrived, what was answered, how often it was tried, and when it is tried next. */
export function Outcome({ of }: { of: Delivered }) {
  const t = useDeliveredText()
  const answerOf = useAnswer()
  const { state, attempts, dueAt, status, error } = of
  // what was not answered yet is being tried
  const isUnderWay = status === null && error === ''
  const count = t('tries', { count: attempts })
  const next =
    state === 'waiting' && dueAt
      ? `, ${isUnderWay ? t('underWay') : t('next', { at: clock(dueAt).format('HH:mm:ss') })}`
      : ''
  return (
    <div className={classes.outcome}>
      <Status tone={tones[state]}>{t(state)}</Status>
      <span>{answerOf(of)}</span>
      {attempts > 0 && <small>{count + next}</small>}
    </div>
  )
}

/** What it is about, and the text that was sent, to be opened. */
export function Sent({ body, children }: { body: string; children: ReactNode }) {
  const t = useDeliveredText()
  return (
    <div className={classes.sent}>
      <span className={classes.about}>{children}</span>
      <details>
        <summary>{t('body')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
        <pre tabIndex={0}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      </details>
    </div>
  )
}

interface SecretProps {
  // biome-ignore lint/suspicious/noExplicitAny: the key of a query may be anything
  secret: UseQueryOptions<{ secret: string }, Error, { secret: string }, any>
  /** What may be done with it once it is shown. */
  children?: ReactNode
}

/** Fetched only when a user wants to see it. */
export function ShownSecret({ secret, children }: SecretProps) {
  const t = useDeliveredText()
  const [isShown, setShown] = useState(false)
  const { data, isFetching } = useQuery({ ...secret, enabled: isShown })
  if (!data)
    return (
      <Button variant="default" loading={isFetching} onClick={() => setShown(true)}>
        {t('showSecret')}
      </Button>
    )
  return (
    <>
      <div className={classes.secret}>
        <CopiedField label={t('secret')} value={data.secret} />
      </div>
      {children}
    </>
  )
}
