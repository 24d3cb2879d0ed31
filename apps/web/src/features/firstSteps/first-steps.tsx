import { Button, Group } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { notify } from '../../platform/notify.tsx'
import { useMay, useUser } from '../../platform/session.tsx'
import { swatches } from '../../ui/swatches.ts'
import { saveQueue } from '../queues/queues.api.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import classes from './firstSteps.module.css'
import { beDoneWith } from './firstSteps.seen.ts'
import { useFirstText } from './firstSteps.text.ts'
import { type Step, useCompanySteps, useOperatorSteps } from './steps.ts'

interface Props {
  /** Shown below a list; it is removed once there are tickets. */
  folds: boolean
  /** Shown when no step is left. */
  otherwise: ReactNode
}

/** Open steps before the first answer; each is ticked automatically once fulfilled. */
export default function FirstSteps(props: Props) {
  return useMay('master') ? <OfOperator {...props} /> : <OfCompany {...props} />
}

const OfCompany = (props: Props) => <Checklist {...props} title="title" known={useCompanySteps()} />

const OfOperator = (props: Props) => <Checklist {...props} title="operator" known={useOperatorSteps()} />

interface ListProps extends Props {
  title: 'title' | 'operator'
  known: { steps: Step[]; over: boolean } | null
}

function Checklist({ title, known, folds, otherwise }: ListProps) {
  const t = useFirstText()
  const { id } = useUser()
  const [dismissed, setDismissed] = useState(false)
  const over = known?.over === true
  useEffect(() => {
    if (over) beDoneWith(id)
  }, [over, id])
  if (!known || over || dismissed) return otherwise
  const done = known.steps.filter(step => step.done).length
  const dismiss = () => {
    beDoneWith(id)
    setDismissed(true)
  }
  return (
    <section className={classes.sheet} aria-label={t(title)}>
      <details open={!folds || !known.steps.some(step => step.key === 'attempt' && step.done)}>
        <summary className={classes.head}>
          <h2 className={classes.title}>{t(title)}</h2>
          <span className={classes.progress}>{t('progress', { done, all: known.steps.length })}</span>
        </summary>
        <ol className={classes.steps}>
          {known.steps.map(step => (
            <Row key={step.key} step={step} />
          ))}
        </ol>
        <Button variant="subtle" size="compact-sm" mt={16} onClick={dismiss}>
          {t('dismiss')}
        </Button>
      </details>
    </section>
  )
}

function Row({ step: { key, done, hint, acts } }: { step: Step }) {
  const t = useFirstText()
  return (
    <li className={classes.step} data-done={done || undefined}>
      {done ? (
        <IconCircleCheckFilled size={22} className={classes.tick} role="img" aria-label={t('done')} />
      ) : (
        <IconCircle size={22} stroke={1.75} className={classes.open} aria-hidden />
      )}
      <div className={classes.words}>
        <h3 className={classes.name}>{t(key)}</h3>
        {!done && <p className={classes.hint}>{hint}</p>}
        {/* most companies begin with more than one queue */}
        {(!done || key === 'queues') && (
          <Group gap={8}>
            {key === 'queues' && <SuggestedQueues />}
            {!done && acts.map(act => <Act key={act.to} {...act} />)}
          </Group>
        )}
      </div>
    </li>
  )
}

function Act({ label, to }: Step['acts'][number]) {
  const look = { size: 'xs', variant: 'default' } as const
  return to.startsWith('/') && !to.startsWith('/simulator') ? (
    <Button {...look} component={Link} to={to}>
      {label}
    </Button>
  ) : (
    <Button {...look} component="a" href={to} target="_blank" rel="noreferrer">
      {label}
    </Button>
  )
}

const suggested = [
  { name: 'sales', color: swatches.blue },
  { name: 'support', color: swatches.orange },
  { name: 'billing', color: swatches.green },
] as const

/** Common names and colours for queues. */
function SuggestedQueues() {
  const t = useFirstText()
  const { data = [] } = useQuery(queueChoices)
  const [busy, setBusy] = useState(false)
  const add = (name: string, color: string) => {
    setBusy(true)
    void saveQueue(null, { name, color, greetingMessage: '' })
      .catch(notify.failed)
      .finally(() => setBusy(false))
  }
  return suggested
    .filter(({ name }) => data.every(queue => queue.name !== t(name)))
    .map(({ name, color }) => (
      <Button key={name} size="xs" variant="light" disabled={busy} onClick={() => add(t(name), color)}>
        {t(name)}
      </Button>
    ))
}
