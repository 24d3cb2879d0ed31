import type { Seen } from '@balcao/contract/edits.rules.ts'
import { MAX_ACTIONS } from '@balcao/contract/flows.rules.ts'
import { type Flow, FlowForm, type FlowType } from '@balcao/contract/flows.ts'
import { Button, Select, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { UnsavedAsks } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { seenOf } from '../../ui/list-screen/meanwhile.ts'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { Page } from '../../ui/page.tsx'
import { ActionBuilder } from './action-builder.tsx'
import { ActionTable } from './action-table.tsx'
import { copyOf, type DraftAction, draftsOf, drop } from './drafts.ts'
import classes from './flow-editor.module.css'
import { FlowPhone } from './flow-phone.tsx'
import { saveFlow } from './flows.api.ts'
import { useFlowText } from './flows.text.ts'

interface Props {
  /** Null for a new one. */
  flow: Flow | null
  back: { path: string; label: string }
}

const FORM = 'flow'

/** Name and actions of a flow, with a phone to try it beside them. */
export function FlowEditor({ flow, back }: Props) {
  const t = useFlowText()
  const goTo = useGoTo()
  const mayChange = useMay('flows:change')
  const whyNot = flow && !mayChange ? t('changeByRight') : undefined
  const [actions, setActions] = useState(() => (flow ? draftsOf(flow) : []))
  const [editing, setEditing] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [typed, setTyped] = useState<DraftAction | null>(null)
  const [kept, setKept] = useState(actions)
  const builder = useRef<(() => DraftAction | null) | null>(null)
  const [row, setRow] = useState(flow)
  const meanwhile = useMeanwhile()
  const edited = actions.find(({ key }) => key === editing)
  const form = useSchemaForm(FlowForm, {
    initialValues: { name: flow?.name ?? '', type: (flow?.type ?? '') as FlowType },
  })

  async function save(values: { name: string; type: FlowType }, current?: Seen) {
    // an action still being written is saved too
    const last = typed && builder.current?.()
    if (typed && !last) return
    const all = last ? withPut(last) : actions
    setBusy(true)
    try {
      const saved = await saveFlow(
        flow?.id ?? null,
        { ...values, actions: all },
        row ? seenOf(row, { ...values, flowActions: 0 }, current) : undefined,
      )
      notify.done(t(flow ? 'saved' : 'created'))
      if (!flow) goTo(`/flowmanager/${saved.id}`, { replace: true })
      setRow(saved)
      const now = draftsOf(saved)
      setActions(now)
      setKept(now)
      setTyped(null)
      setEditing(null)
      form.resetDirty()
      for (const action of all) drop(action)
    } catch (error) {
      if (!meanwhile.asks(error, now => void save(values, now)) && !form.refused(error)) notify.failed(error)
    }
    setBusy(false)
  }

  const withPut = (action: DraftAction) =>
    edited ? actions.map(one => (one === edited ? action : one)) : [...actions, action]
  function edit(key: string | null) {
    setEditing(key)
    setTyped(null)
  }
  function put(action: DraftAction) {
    setActions(withPut(action))
    edit(null)
  }

  return (
    <Page
      title={flow?.name ?? t('newFlow')}
      back={back}
      actions={
        <>
          <UnsavedAsks isUnsaved={!busy && (typed !== null || actions !== kept || form.isDirty())} />
          <Button type="submit" form={FORM} loading={busy} disabled={whyNot !== undefined} data-hint={whyNot}>
            {t('save')}
          </Button>
        </>
      }
    >
      {meanwhile.question}
      <div className={classes.desk}>
        <div className={classes.work}>
          <form
            id={FORM}
            className={classes.head}
            onSubmit={form.onSubmit(values => save(values))}
            noValidate
          >
            <TextInput label={t('name')} maxLength={100} {...form.getInputProps('name')} />
            <Select
              label={t('type')}
              description={t('typeHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder={t('chooseType')}
              allowDeselect={false}
              data={[
                { value: 'Bot', label: t('Bot') },
                { value: 'Chat', label: t('Chat') },
              ]}
              {...form.getInputProps('type')}
              value={form.getValues().type || null}
            />
          </form>
          <ActionBuilder
            key={editing ?? `new ${actions.length}`}
            others={actions.filter(one => one !== edited)}
            editing={edited && { action: edited, order: actions.indexOf(edited) + 1 }}
            typed={typed}
            onType={setTyped}
            take={builder}
            onPut={put}
            onCancel={() => edit(null)}
          />
          <ActionTable
            actions={actions}
            editing={editing}
            onOrder={setActions}
            onEdit={action => edit(action.key)}
            onCopy={
              actions.length < MAX_ACTIONS
                ? (action, at) => setActions(actions.toSpliced(at + 1, 0, copyOf(action)))
                : undefined
            }
            onRemove={action => {
              drop(action)
              setActions(actions.filter(one => one !== action))
              if (editing === action.key) edit(null)
            }}
          />
        </div>
        <FlowPhone actions={actions} />
      </div>
    </Page>
  )
}
