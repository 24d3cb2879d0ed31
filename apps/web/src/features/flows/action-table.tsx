import { cut } from '@balcao/contract/cut.rules.ts'
import { isPause, moved } from '@balcao/contract/flows.rules.ts'
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconGripVertical,
  IconListDetails,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { kindIcons } from './action-kinds.ts'
import classes from './action-table.module.css'
import type { DraftAction } from './drafts.ts'
import { useActionText } from './flows.action.text.ts'
import { useReorder } from './reorder.ts'

interface Props {
  actions: DraftAction[]
  /** The key of the action in the builder. */
  editing: string | null
  onOrder(actions: DraftAction[]): void
  onEdit(action: DraftAction): void
  /** Omitted at the limit of actions. */
  onCopy: ((action: DraftAction, at: number) => void) | undefined
  onRemove(action: DraftAction): void
}

/** The actions in their order, which the pointer, two buttons and the arrow keys change. */
export function ActionTable({ actions, editing, onOrder, onEdit, onCopy, onRemove }: Props) {
  const t = useActionText()
  const [announcement, setAnnouncement] = useState('')
  const move = (from: number, to: number) => {
    if (to < 0 || to >= actions.length || from === to) return
    onOrder(moved(actions, from, to))
    setAnnouncement(t('movedTo', { what: wordsOf(actions[from]!, t), order: to + 1, count: actions.length }))
  }
  const { box, dragged, handle } = useReorder(actions, onOrder, move)
  const columns: Column<DraftAction>[] = [
    {
      key: 'order',
      head: t('order'),
      width: 92,
      cell: one => <Grip action={one} at={actions.indexOf(one)} {...handle(one, actions.indexOf(one))} />,
    },
    { key: 'kind', head: t('what'), width: 160, cell: one => <Kind action={one} /> },
    { key: 'content', head: t('content'), kind: 'long', cell: one => contentOf(one, t) },
    {
      key: 'actions',
      head: '',
      kind: 'actions',
      cell: one => {
        const at = actions.indexOf(one)
        const order = at + 1
        return (
          <>
            <IconButton label={t('up', { order })} disabled={at === 0} onClick={() => move(at, at - 1)}>
              <IconArrowUp size={18} stroke={1.75} />
            </IconButton>
            <IconButton
              label={t('down', { order })}
              disabled={order === actions.length}
              onClick={() => move(at, at + 1)}
            >
              <IconArrowDown size={18} stroke={1.75} />
            </IconButton>
            <IconButton label={t('edit', { order })} onClick={() => onEdit(one)}>
              <IconPencil size={18} stroke={1.75} />
            </IconButton>
            <IconButton
              label={t('copy', { order })}
              disabled={!onCopy}
              onClick={onCopy && (() => onCopy(one, at))}
            >
              <IconCopy size={18} stroke={1.75} />
            </IconButton>
            <IconButton label={t('remove', { order })} onClick={() => onRemove(one)}>
              <IconTrash size={18} stroke={1.75} />
            </IconButton>
          </>
        )
      },
    },
  ]
  return (
    <div ref={box} className={classes.actions} data-dragging={dragged !== null || undefined}>
      <Table
        label={t('what')}
        columns={columns}
        rows={actions}
        keyOf={one => one.key}
        mark={one => ({
          'data-action': one.key,
          ...((one.key === dragged || one.key === editing) && { 'data-held': 'true' }),
        })}
        empty={
          <Empty icon={<IconListDetails size={26} />} title={t('none')}>
            {t('noneHint')}
          </Empty>
        }
      />
      <p className="sr-only" role="status">
        {announcement}
      </p>
    </div>
  )
}

type Handle = ReturnType<ReturnType<typeof useReorder>['handle']>

function Grip({ action, at, ...handle }: { action: DraftAction; at: number } & Handle) {
  const t = useActionText()
  return (
    <button
      type="button"
      className={classes.grip}
      aria-label={t('move', { order: at + 1, what: wordsOf(action, t) })}
      {...handle}
    >
      <IconGripVertical size={16} stroke={1.75} aria-hidden />
      {at + 1}
    </button>
  )
}

function Kind({ action: { actionType } }: { action: DraftAction }) {
  const t = useActionText()
  const Icon = kindIcons[actionType]
  return (
    <span className={classes.kind}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {t(actionType)}
    </span>
  )
}

type T = ReturnType<typeof useActionText>

function contentOf({ actionType, body, param, mediaFileName }: DraftAction, t: T): string {
  if (isPause(actionType)) return t('lasts', { count: param })
  return actionType === 'SendText' ? body : [mediaFileName, body].filter(Boolean).join(' · ')
}

const wordsOf = (action: DraftAction, t: T) => cut(`${t(action.actionType)}, ${contentOf(action, t)}`, 80)
