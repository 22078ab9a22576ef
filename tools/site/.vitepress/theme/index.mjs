// The default theme without its fonts: the system's are used.

import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
