import { Popover } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { soon } from './soon.tsx'

const EmojiPicker = soon(() => import('./emoji-picker.tsx'), {
  instead: <div style={{ width: 536, height: 320 }} />,
})

interface Props {
  label: string
  onEmoji(emoji: string): void
  /** The focus belongs where it is written again. */
  onClosed(): void
}

/** Opens the emojis above it. */
export function EmojiButton({ label, onEmoji, onClosed }: Props) {
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClosed()
  }
  return (
    <Popover
      opened={open}
      onChange={now => !now && close()}
      position="top-start"
      trapFocus
      returnFocus={false}
      withinPortal
    >
      <Popover.Target>
        <IconButton
          label={label}
          tinted={open}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => (open ? close() : setOpen(true))}
        >
          <IconMoodSmile size={19} stroke={1.75} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={label}>
        <EmojiPicker onPick={onEmoji} />
      </Popover.Dropdown>
    </Popover>
  )
}
