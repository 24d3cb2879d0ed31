import { useMediaQuery } from '@mantine/hooks'

/** The window is as narrow as a phone. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false }) === true
