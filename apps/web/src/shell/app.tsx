import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { notices } from '../platform/notices.ts'
import { queryClient } from '../platform/query.ts'
import { SessionProvider } from '../platform/session.tsx'
import { useStore } from '../platform/store.ts'
import { resolver, theme } from '../theme/mantine.ts'
import { isDark, useThemeName } from '../theme/themes.ts'
import { Hints } from '../ui/hints.tsx'
import { soon } from '../ui/soon.tsx'
import { watchSteps } from '../ui/unsaved.ts'
import { Routing } from './routing.tsx'

watchSteps()

const Notices = soon(() => import('./notices.tsx'))

export function App() {
  const dark = isDark(useThemeName())
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} forceColorScheme={dark ? 'dark' : 'light'}>
      <QueryClientProvider client={queryClient}>
        <LazyNotices />
        <Hints />
        <SessionProvider>
          <BrowserRouter>
            <Routing />
          </BrowserRouter>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The notices, loaded when there is a first one. */
function LazyNotices() {
  const hasNotices = useStore(notices.all, all => all.length > 0)
  return hasNotices && <Notices />
}
