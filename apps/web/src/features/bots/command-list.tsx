import { problemsOf } from '@balcao/contract/bots.checks.rules.ts'
import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { inNumberOrder, isBelow } from '@balcao/contract/bots.numbers.rules.ts'
import { Button, Menu } from '@mantine/core'
import { IconAlertTriangle, IconDotsVertical, IconPlus, IconSitemap } from '@tabler/icons-react'
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Empty } from '../../ui/empty.tsx'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { type Direction, directionOf, placeAfter } from './bot-moves.ts'
import { asScript, type Bot } from './bot-script.ts'
import { removeBranch } from './bots.api.ts'
import { useCommandText, useProblemText } from './bots.commands.text.ts'
import { Kind } from './command-kinds.tsx'
import classes from './command-list.module.css'
import { useCommandWords } from './command-words.ts'
import type { Moves } from './use-moves.ts'

interface Props {
  bot: Bot
  may: boolean
  moves: Moves
  onEdit(command: BotCommand): void
  onAdd(above: string): void
}

/** The tree as a list: arrows walk, Enter edits, Alt and an arrow moves a branch. */
export function CommandList({ bot, may, moves, onEdit, onAdd }: Props) {
  const t = useCommandText()
  const [removing, setRemoving] = useState<BotCommand | null>(null)
  const commands = useMemo(
    () => bot.commands.toSorted((a, b) => inNumberOrder(a.commandBot, b.commandBot)),
    [bot],
  )
  const wrong = useMemo(() => new Set(problemsOf(asScript(bot)).map(({ commandId }) => commandId)), [bot])
  const { box, onKey } = useWalk(commands, may ? moves : null)
  if (commands.length === 0)
    return (
      <Empty
        icon={<IconSitemap size={26} />}
        title={t('none')}
        action={may && <Button onClick={() => onAdd('')}>{t('add')}</Button>}
      >
        {t('noneHint')}
      </Empty>
    )
  const below = removing ? commands.filter(one => isBelow(one.commandBot, removing.commandBot)).length : 0
  return (
    <>
      <ul ref={box} className={classes.list} aria-label={t('commands')}>
        {commands.map(command => (
          <li
            key={command.id}
            style={{ '--level': command.commandBot.split('.').length - 1 } as CSSProperties}
          >
            <button
              type="button"
              className={classes.open}
              data-command={command.id}
              onClick={() => onEdit(command)}
              onKeyDown={event => onKey(event, command)}
            >
              <CommandWords command={command} isWrong={wrong.has(command.id)} />
            </button>
            {may && (
              <RowMenu
                bot={bot}
                command={command}
                moves={moves}
                onEdit={() => onEdit(command)}
                onAdd={() => onAdd(command.commandBot)}
                onRemove={() => setRemoving(command)}
              />
            )}
          </li>
        ))}
      </ul>
      {may && <p className={classes.hint}>{t('keysHint')}</p>}
      {removing && (
        <RemoveDialog
          title={t('removeTitle', { number: removing.commandBot })}
          remove={() => removeBranch(removing.id)}
          onClose={() => setRemoving(null)}
        >
          {below > 0 ? t('removeMany', { count: below }) : t('removeOne')}
        </RemoveDialog>
      )}
    </>
  )
}

function CommandWords({ command, isWrong }: { command: BotCommand; isWrong: boolean }) {
  const words = useCommandWords()
  const problem = useProblemText()
  const { commandBot, commandType, descriptionBot } = command
  return (
    <>
      <span className={classes.number}>{commandBot}</span>
      <Kind type={commandType} />
      {descriptionBot && <strong className="one-line">{descriptionBot}</strong>}
      <span className={classes.message}>{words(command)}</span>
      {isWrong && (
        <IconAlertTriangle
          size={17}
          color="var(--warning)"
          role="img"
          aria-label={problem('problems', { count: 1 })}
        />
      )}
    </>
  )
}

const ways = [
  ['before', 'moveUp'],
  ['behind', 'moveDown'],
  ['in', 'moveIn'],
  ['out', 'moveOut'],
] as const satisfies [Direction, string][]

interface MenuProps {
  bot: Bot
  command: BotCommand
  moves: Moves
  onEdit(): void
  onAdd(): void
  onRemove(): void
}

function RowMenu({ bot, command: { commandBot }, moves, onEdit, onAdd, onRemove }: MenuProps) {
  const t = useCommandText()
  const numbers = bot.commands.map(one => one.commandBot)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={t('actionsOf', { number: commandBot })}>
          <IconDotsVertical size={18} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>{t('editShort')}</Menu.Item>
        <Menu.Item leftSection={<IconPlus size={16} />} onClick={onAdd}>
          {t('addBelow')}
        </Menu.Item>
        {ways.map(([direction, label]) => (
          <Menu.Item
            key={direction}
            disabled={placeAfter(numbers, commandBot, direction) === null}
            onClick={() => moves.step(commandBot, direction)}
          >
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Item color="var(--error)" onClick={onRemove}>
          {t('remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Arrow keys move the focus, which stays on a command that is moved. */
function useWalk(commands: BotCommand[], moves: Moves | null) {
  const box = useRef<HTMLUListElement>(null)
  const kept = useRef<number | null>(null)
  const focus = (commandId: number | undefined) =>
    box.current?.querySelector<HTMLElement>(`[data-command="${commandId}"]`)?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved command has another position
  useEffect(() => {
    if (kept.current !== null) focus(kept.current)
    kept.current = null
  }, [commands])
  const onKey = (event: KeyboardEvent, command: BotCommand) => {
    const at = commands.indexOf(command)
    if (event.altKey) {
      const direction = moves && directionOf(event.key, 'below')
      if (!direction) return
      kept.current = command.id
      moves.step(command.commandBot, direction)
    } else if (event.key === 'ArrowDown') focus(commands[at + 1]?.id)
    else if (event.key === 'ArrowUp') focus(commands[at - 1]?.id)
    else if (event.key === 'Home') focus(commands[0]?.id)
    else if (event.key === 'End') focus(commands.at(-1)?.id)
    else return
    event.preventDefault()
  }
  return { box, onKey }
}
