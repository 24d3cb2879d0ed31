import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { NativeSelect } from '@mantine/core'
import type { Bot } from './bot-script.ts'

interface Props {
  label: string
  /** What no number means. */
  none: string
  bot: Bot
  /** The command that leads on; it is not offered. */
  command: BotCommand
  value: string
  onChange(number: string): void
  error?: React.ReactNode
}

/** Chooses another command of the bot by its number; one that is gone stays shown. */
export function CommandChoice({ label, none, bot, command, value, onChange, error }: Props) {
  const others = bot.commands.filter(({ id }) => id !== command.id)
  const known = value === '' || others.some(({ commandBot }) => commandBot === value)
  return (
    <NativeSelect
      label={label}
      data={[
        { value: '', label: none },
        ...(known ? [] : [value]),
        ...others.map(({ commandBot, descriptionBot, showMessage }) => ({
          value: commandBot,
          label: `${commandBot} ${descriptionBot || cut(showMessage, 40)}`,
        })),
      ]}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
