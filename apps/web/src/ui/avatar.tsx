import { IconUser, IconUsers } from '@tabler/icons-react'
import classes from './avatar.module.css'

const HUES = 8

/** Initials on one of eight faint hues, always the same for a name; a symbol where there is only a number. */
export function Avatar({
  name,
  isGroup = false,
  size = 36,
}: {
  name: string
  isGroup?: boolean
  size?: number
}) {
  const letters = initials(name)
  return (
    <span
      aria-hidden
      className={classes.avatar}
      data-hue={hueOf(name)}
      data-initials={isGroup ? undefined : letters}
      style={{ width: size, height: size, fontSize: size * 0.36 }}
    >
      {isGroup ? <IconUsers size={size * 0.5} /> : !letters && <IconUser size={size * 0.5} />}
    </span>
  )
}

function initials(name: string) {
  const words = name.split(/\s+/).filter(word => /^\p{L}/u.test(word))
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return `${first?.[0] ?? ''}${last?.[0] ?? ''}`.toUpperCase()
}

/** One of eight hues, always the same for a name. */
export function hueOf(name: string) {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) >>> 0
  return sum % HUES
}
