"""Does three tasks at the desk with a scanner and as few keys as they take, and counts.

Arguments: the server's address, and the staff's password; then a patron's username, a title's ISBN, and barcodes. Prints one JSON
object: of each task the keys and clicks beside what is scanned or typed into a field, and the pages that were loaded; `faults` is
what went wrong. A scanner types what it reads and presses Enter. Needs Debian's chromium-driver and python3-selenium.
"""

import json
import sys

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

address, password, patron, isbn = sys.argv[1:5]
barcodes = sys.argv[5:]
said, faults = {}, []
count = {"by_hand": 0, "loads": 0}

options = webdriver.ChromeOptions()
for word in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions"]:
    options.add_argument(word)
options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def loading(act):
    """Does what brings another page, and waits for it."""
    page = driver.find_element(By.TAG_NAME, "html")
    act()
    leaving = [NoSuchElementException, StaleElementReferenceException]
    wait = WebDriverWait(driver, 60, ignored_exceptions=leaving)
    wait.until(lambda driver: driver.find_element(By.TAG_NAME, "html") != page)
    wait.until(lambda driver: driver.execute_script("return document.readyState") == "complete")
    count["loads"] += 1


def write(text):
    """Types where the cursor is."""
    try:
        WebDriverWait(driver, 20).until(lambda driver: driver.switch_to.active_element.tag_name == "input")
    except TimeoutException:
        faults.append(f"{driver.current_url}: the cursor is in no field")
    driver.switch_to.active_element.send_keys(text)


def scan(text):
    loading(lambda: write(text + Keys.ENTER))


def press(key):
    count["by_hand"] += 1
    driver.switch_to.active_element.send_keys(key)


def click(selector):
    count["by_hand"] += 1
    driver.find_element(By.CSS_SELECTOR, selector).click()


def task(name, act):
    driver.get(address + "/desk")
    count.update(by_hand=0, loads=0)
    act()
    said[name] = dict(count, page=driver.find_element(By.TAG_NAME, "main").text)


def check_out():
    scan(patron)
    for barcode in barcodes:
        scan(barcode)


def register():
    loading(lambda: click("a[href='/desk/patrons']"))
    loading(lambda: click("a[href='/desk/patrons/new']"))
    # The card alone registers nobody: the name is missing, and there the cursor goes.
    write("20001234" + Keys.ENTER)
    write("Ada")
    press(Keys.TAB)
    write("Byron")
    loading(lambda: press(Keys.ENTER))


def place_hold():
    loading(lambda: click("a[href='/desk/titles']"))
    scan(isbn)
    click("details:has([action$='/hold']) summary")
    press(Keys.TAB)
    scan("20001234")


try:
    driver.get(address + "/log-in")
    driver.find_element(By.CSS_SELECTOR, "main [name=username]").send_keys("sam")
    driver.find_element(By.CSS_SELECTOR, "main [name=password]").send_keys(password + Keys.ENTER)
    task("check_out", check_out)
    task("register", register)
    task("place_hold", place_hold)
finally:
    driver.quit()
print(json.dumps({"said": said, "faults": faults}))
