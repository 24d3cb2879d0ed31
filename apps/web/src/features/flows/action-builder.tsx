import {
  flowSeconds,
  isPause,
  LONGEST_WAIT,
  MAX_ACTIONS,
  MAX_PARAM,
  problemOf,
} from '@balcao/contract/flows.rules.ts'
import { ActionType } from '@balcao/contract/flows.ts'
import { Button, Group, NumberInput } from '@mantine/core'
import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { useViewer } from '../../platform/session.tsx'
import { GreetingField } from '../../ui/greeting-field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import classes from './action-builder.module.css'
import { kindIcons } from './action-kinds.ts'
import { type DraftAction, emptyDraft } from './drafts.ts'
import { FileChoice } from './file-choice.tsx'
import { useActionText } from './flows.action.text.ts'

interface Props {
  /** The other actions of the flow. */
  others: DraftAction[]
  /** The action to change; without it one is added. */
  editing: { action: DraftAction; order: number } | undefined
  /** What is written in it, and not put into the table; null for nothing. */
  typed: DraftAction | null
  onType(action: DraftAction): void
  onPut(action: DraftAction): void
  onCancel(): void
  /** Returns the action, or shows what is invalid in it. */
  take: RefObject<(() => DraftAction | null) | null>
}

const faults = { body: 'needsText', param: 'needsSeconds', mediaUrl: 'needsFile' } as const

/** Edits an action before it is put into the table. */
export function ActionBuilder({ others, editing, typed, onType, onPut, onCancel, take }: Props) {
  const t = useActionText()
  const viewer = useViewer()
  const [begun] = useState(() => editing?.action ?? emptyDraft('SendText'))
  const action = typed ?? begun
  const [error, setError] = useState<string | null>(null)
  const box = useRef<HTMLFieldSetElement>(null)
  const { actionType: kind } = action
  function change(changed: Partial<DraftAction>) {
    onType({ ...action, ...changed })
    setError(null)
  }
  function checked(): DraftAction | null {
    const problem = problemOf(action)
    const fault = problem ? t(faults[problem.field]) : limitOf([...others, action], t)
    if (!fault) return action
    setError(fault)
    box.current?.querySelector<HTMLElement>('textarea, input:not([type="radio"], [type="file"])')?.focus()
    return null
  }
  useImperativeHandle(take, () => checked)
  const put = () => {
    const good = checked()
    if (good) onPut(good)
  }
  return (
    <fieldset ref={box} className={classes.builder}>
      <legend>{editing ? t('editAction', { order: editing.order }) : t('newAction')}</legend>
      <Segmented
        label={t('kind')}
        value={kind}
        options={ActionType.options.map(value => ({ value, label: <KindLabel kind={value} /> }))}
        onChange={actionType => {
          onType({ ...emptyDraft(actionType), key: action.key })
          setError(null)
        }}
      />
      {kind === 'SendText' && (
        <GreetingField
          label={t('text')}
          value={action.body}
          onChange={body => change({ body })}
          speaker={viewer.name}
          error={error}
        />
      )}
      {kind === 'SendMedia' && <FileChoice action={action} error={error} onChange={change} />}
      {isPause(kind) && (
        <NumberInput
          label={t('seconds')}
          description={t('secondsHint')}
          value={action.param}
          min={0}
          max={MAX_PARAM}
          step={1}
          allowDecimal={false}
          clampBehavior="strict"
          w={160}
          onChange={param => change({ param: Number(param) || 0 })}
          error={error}
        />
      )}
      <Group gap={8} justify="flex-end">
        {editing && (
          <Button variant="subtle" onClick={onCancel}>
            {t('cancel')}
          </Button>
        )}
        <Button variant="default" onClick={put}>
          {t(editing ? 'change' : 'add')}
        </Button>
      </Group>
    </fieldset>
  )
}

function limitOf(actions: DraftAction[], t: ReturnType<typeof useActionText>) {
  if (actions.length > MAX_ACTIONS) return t('tooMany', { count: MAX_ACTIONS })
  return flowSeconds(actions) > LONGEST_WAIT ? t('tooLong') : null
}

function KindLabel({ kind }: { kind: ActionType }) {
  const t = useActionText()
  const Icon = kindIcons[kind]
  return (
    <span className={classes.kind}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {t(kind)}
    </span>
  )
}
