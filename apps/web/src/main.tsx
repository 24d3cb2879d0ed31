import '@fontsource-variable/hanken-grotesk'
import '@fontsource-variable/geist-mono'
import './theme/parts.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/mantine.css'
import './theme/notices.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { hearLanguage } from './platform/text.ts'
import { speakDates } from './platform/time.ts'
import { App } from './shell/app.tsx'
import { applyTheme, followOtherTabs } from './theme/themes.ts'

applyTheme()
followOtherTabs()
hearLanguage(speakDates)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
