import { useEffect, useState } from 'preact/hooks';

/** Returns the time, updated every second. For elements that show a relative time. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
