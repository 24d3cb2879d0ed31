import { TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../platform/text.ts'
import classes from './emoji-picker.module.css'
import { findEmojis } from './emoji-words.ts'

const useText = texts({
  emojis: ['Emojis', 'Emojis', 'Emojis'],
  search: ['Buscar emoji', 'Search emoji', 'Buscar emoji'],
  found: ['Encontrados', 'Found', 'Encontrados'],
  none: ['Nenhum emoji com esse nome', 'No emoji of that name', 'Ningún emoji con ese nombre'],
  recent: ['Recentes', 'Recent', 'Recientes'],
  faces: ['Rostos', 'Faces', 'Caras'],
  people: ['Gestos e pessoas', 'Gestures and people', 'Gestos y personas'],
  nature: ['Natureza', 'Nature', 'Naturaleza'],
  food: ['Comida', 'Food', 'Comida'],
  life: ['Lugares e objetos', 'Places and objects', 'Lugares y objetos'],
  signs: ['Símbolos', 'Symbols', 'Símbolos'],
})

const PER_LINE = 16
const STORED = 'emojiRecent'

const groups = {
  faces:
    '😀 😃 😄 😁 😆 😅 🤣 😂 🙂 🙃 😉 😊 😇 🥰 😍 🤩 😘 😗 😚 😙 😋 😛 😜 🤪 😝 🤑 🤗 🤭 🤫 🤔 🤐 🤨 😐 😑 😶 😏 😒 🙄 😬 🤥 😌 😔 😪 🤤 😴 😷 🤒 🤕 🤢 🤮 🤧 🥵 🥶 🥴 😵 🤯 🤠 🥳 😎 🤓 🧐 😕 😟 🙁 😮 😯 😲 😳 🥺 😦 😧 😨 😰 😥 😢 😭 😱 😖 😣 😞 😓 😩 😫 🥱 😤 😡 😠 🤬 😈 💀 💩 🤡 👻 👽 🤖 😺 😸 😹 😻 😼',
  people:
    '👋 🤚 🖐️ ✋ 🖖 👌 🤏 ✌️ 🤞 🤟 🤘 🤙 👈 👉 👆 👇 ☝️ 👍 👎 ✊ 👊 🤛 🤜 👏 🙌 👐 🤲 🤝 🙏 ✍️ 💅 🤳 💪 👂 👃 🧠 👀 👁️ 👄 👶 🧒 👦 👧 🧑 👨 👩 🧓 👴 👵 🙅 🙆 💁 🙋 🤦 🤷 👮 🧑‍⚕️ 🧑‍🏫 🧑‍🍳 🧑‍🔧 🧑‍💼 🧑‍💻 🎅 🏃 🚶 💃 🕺 👪',
  nature:
    '🐶 🐱 🐭 🐹 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🙈 🙉 🙊 🐔 🐧 🐦 🦆 🦉 🐺 🐴 🦄 🐝 🦋 🐌 🐞 🐢 🐍 🐙 🐠 🐬 🐳 🌵 🎄 🌲 🌴 🌱 🍀 🍁 🌷 🌹 🌺 🌻 🌼 🌞 🌝 🌙 ⭐ 🌟 ✨ ⚡ 🔥 🌈 ☀️ ⛅ ☁️ 🌧️ ❄️ ☔ 🌊',
  food: '🍎 🍐 🍊 🍋 🍌 🍉 🍇 🍓 🍒 🍑 🥭 🍍 🥥 🥝 🍅 🥑 🍆 🥔 🥕 🌽 🌶️ 🥦 🧄 🧅 🍞 🥐 🥖 🧀 🥚 🍳 🥓 🥩 🍗 🌭 🍔 🍟 🍕 🥪 🌮 🌯 🥗 🍝 🍜 🍣 🍱 🍚 🍤 🍦 🍩 🍪 🎂 🍰 🧁 🍫 🍬 🍭 ☕ 🍵 🥤 🍺 🍻 🥂 🍷 🍹',
  life: '🏠 🏡 🏢 🏥 🏦 🏪 🏫 ⛪ 🚗 🚕 🚌 🚑 🚒 🚚 🚲 🛵 ✈️ 🚀 ⛵ 🚢 🚦 🗺️ 🏖️ 🎁 🎈 🎉 🎊 🏆 🥇 ⚽ 🏀 🏐 🎾 🎮 🎵 🎶 🎤 🎧 🎸 📱 💻 🖨️ 📷 📹 📞 📺 ⏰ ⌛ 💡 🔦 💰 💵 💳 🧾 🛒 📦 📫 📝 📄 📅 📈 📉 📌 📎 ✂️ 🔒 🔑 🔧 🔨 🛠️ ⚙️ 🛋️ 🚪 🛏️ 💊 🩺 🧴 🧹',
  signs:
    '❤️ 🧡 💛 💚 💙 💜 🖤 🤍 🤎 💔 ❣️ 💕 💞 💓 💗 💖 💘 💝 ✅ ❌ ⭕ ❗ ❓ ⚠️ 🚫 💯 💢 💬 💭 💤 ➕ ➖ ➡️ ⬅️ ⬆️ ⬇️ 🔄 🔔 🔕 🔴 🟠 🟡 🟢 🔵 🟣 ⚫ ⚪ 🔺 🔻 ⏩ ⏪ ▶️ ⏸️ ⏹️ #️⃣ 1️⃣ 2️⃣ 3️⃣ 4️⃣ 5️⃣ 6️⃣ 🆗 🆕 🆓 🇧🇷 🇵🇹 🇪🇸 🇺🇸',
}

const recent = (): string[] => (localStorage.getItem(STORED) ?? '').split(' ').filter(Boolean)

/** Emojis, sixteen a row where there is room; arrows move among them, Enter picks. */
export default function EmojiPicker({ onPick }: { onPick(emoji: string): void }) {
  const t = useText()
  const box = useRef<HTMLDivElement>(null)
  const [last] = useState(recent)
  const [typed, setTyped] = useState('')
  const found = typed.trim() === '' ? null : findEmojis(typed)
  const pick = (emoji: string) => {
    localStorage.setItem(
      STORED,
      [emoji, ...recent().filter(one => one !== emoji)].slice(0, PER_LINE).join(' '),
    )
    onPick(emoji)
  }
  const sections = Object.entries(groups).map(([name, all]) => [name, all.split(' ')] as const)
  const all = last.length > 0 ? [['recent', last] as const, ...sections] : sections
  const shown = found ? (found.length > 0 ? [['found', found] as const] : []) : all
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the arrow keys of the buttons inside
    <div ref={box} className={classes.box} onKeyDown={event => walk(event, box.current)}>
      <TextInput
        data-autofocus
        className={classes.search}
        aria-label={t('search')}
        placeholder={t('search')}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      {found?.length === 0 && (
        <p className={classes.none} role="status">
          {t('none')}
        </p>
      )}
      {shown.map(([name, all]) => (
        <section key={name} aria-label={t(name as 'faces')}>
          <h3>{t(name as 'faces')}</h3>
          <div className={classes.grid}>
            {all.map(emoji => (
              <button key={emoji} type="button" aria-label={emoji} onClick={() => pick(emoji)}>
                {emoji}
              </button>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

function walk(event: React.KeyboardEvent, box: HTMLElement | null) {
  const buttons = [...(box?.querySelectorAll('button') ?? [])]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const perLine = buttons.findIndex(({ offsetTop }) => offsetTop !== buttons[0]?.offsetTop)
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: perLine > 0 ? perLine : PER_LINE,
    ArrowUp: perLine > 0 ? -perLine : -PER_LINE,
  }
  const step = steps[event.key]
  // from the search text down to its results
  if (at < 0 && event.key === 'ArrowDown') {
    event.preventDefault()
    buttons[0]?.focus()
  }
  if (!step || at < 0) return
  event.preventDefault()
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus()
}
